import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { script } from "./command.mjs";
import { build, root, shown } from "./places.mjs";

/** `node src/dev/ruleCatalogue.mjs`: writes media/rules.md from the rules and the recorded traps. */
await script(async () => {
  const { build: esbuild } = await import("esbuild");
  const outfile = join(build, "catalogue", "catalogue.mjs");
  await esbuild({
    entryPoints: [join(root, "src", "core", "config", "catalogue.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  const { renderRuleCatalogue } = await import(pathToFileURL(outfile).href);
  const recorded = (name) => JSON.parse(readFileSync(join(root, "test", "fixtures", "config", name), "utf8"));
  const target = join(root, "media", "rules.md");
  writeFileSync(target, renderRuleCatalogue(recorded("traps.json"), recorded("constraints.json")));
  console.log(`written: ${shown(target)}`);
});
