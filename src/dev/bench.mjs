import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { run, script } from "./command.mjs";
import { build, root, shown } from "./places.mjs";
import { setUp } from "./setup.mjs";

const results = join(root, "test", "bench", "RESULTS.md");
const begin = "<!-- bench: begin -->";
const end = "<!-- bench: end -->";

/** Puts the table between the two marks of RESULTS.md. */
async function record(table) {
  const text = readFileSync(results, "utf8");
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${results} lacks its marks`);
  const machine = `${cpus()[0]?.model ?? "unknown CPU"}, ${availableParallelism()} cores, Node ${process.versions.node}`;
  const section = `\n\`npm run bench -- --write\` on ${machine}:\n\n${table.trim()}\n`;
  writeFileSync(results, text.slice(0, from + begin.length) + section + text.slice(to));
  await run("npx", ["--no-install", "biome", "format", "--write", results], { quiet: true });
  console.log(`\nwritten to ${shown(results)}`);
}

/** `npm run bench`: ratios of our work to plain work on the same input; `-- --write` keeps the table in RESULTS.md, `-- --assert` checks limits. */
await script(async () => {
  await setUp("check");
  const { build: esbuild } = await import("esbuild");
  const outfile = join(build, "bench", "main.mjs");
  await esbuild({
    entryPoints: [join(root, "test", "bench", "main.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // Loads parts of itself by name, which a bundle does not hold.
    external: ["yaml-language-server"],
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
  });
  const { output } = await run(process.execPath, [outfile, ...process.argv.slice(2)]);
  if (process.argv.includes("--write")) await record(output);
});
