import { isProgram, run, script, section } from "./command.mjs";
import { setUp } from "./setup.mjs";

/** Format, lint (with the import directions) and types. */
export async function checkSources() {
  section("Biome");
  await run("npx", ["--no-install", "biome", "check", "--error-on-warnings"]);
  section("TypeScript");
  await run("npx", ["--no-install", "tsc", "-b"]);
}

if (isProgram(import.meta.url)) {
  await script(async () => {
    await setUp("check");
    await checkSources();
  });
}
