import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { StepFailed } from "./command.mjs";
import { dist, root, shown } from "./places.mjs";

const node = { platform: "node", target: "node20", format: "cjs" };

/** The programs: entry, output, and what runs it. */
const bundles = [
  { entry: "src/extension/main.ts", out: "extension.cjs", options: { ...node, external: ["vscode"] } },
  { entry: "src/extension/analysisWorker.ts", out: "analysis.cjs", options: node },
  { entry: "src/profiler/main.ts", out: "profiler.cjs", options: node },
  {
    entry: "src/cli/main.ts",
    out: "cli.js",
    options: {
      ...node,
      format: "esm",
      banner: {
        // A CommonJS package inside the bundle may ask for a built-in module by require. The minifier does not know of
        // names in here, so they have to be longer than any that it invents.
        js: [
          "#!/usr/bin/env node",
          'import { createRequire as createRequireOfBundle } from "node:module";',
          "const require = createRequireOfBundle(import.meta.url);",
        ].join("\n"),
      },
    },
  },
  {
    entry: "src/webview/main.ts",
    out: "webview.js",
    options: { platform: "browser", target: "chrome128", format: "iife" },
  },
];

/**
 * Bundles extension, profiler process, CLI and webview into dist/.
 *
 * @param {{ release?: boolean }} [options] `release` minifies and leaves source maps out.
 */
export async function bundle({ release = false } = {}) {
  const { build } = await import("esbuild");
  for (const { entry, out, options } of bundles) {
    if (!existsSync(join(root, entry))) throw new StepFailed(`${entry} does not exist`);
    const outfile = join(dist, out);
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      legalComments: "none",
      logLevel: "warning",
      minify: release,
      sourcemap: release ? false : "linked",
      ...options,
    }).catch((error) => {
      throw new StepFailed(`bundling ${entry} into ${shown(outfile)} failed: ${error.message}`);
    });
    if (release) rmSync(`${outfile}.map`, { force: true });
    if (out === "cli.js") chmodSync(outfile, 0o755);
  }
}
