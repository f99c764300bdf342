import { isProgram, run, script, section } from "./command.mjs";
import { checkNativeArrows } from "./nativeArrows.mjs";
import { setUp } from "./setup.mjs";
import { checkSourceArrows } from "./sourceArrows.mjs";

/** Format, lint (with the import directions, C++ included) and types. */
export async function checkSources() {
  section("Biome");
  await run("npx", ["--no-install", "biome", "check", "--error-on-warnings"]);
  section("Arrows between rooms");
  checkSourceArrows();
  checkNativeArrows();
  section("TypeScript");
  await run("npx", ["--no-install", "tsc", "-b"]);
}

if (isProgram(import.meta.url)) {
  await script(async () => {
    await setUp("check");
    await checkSources();
  });
}
