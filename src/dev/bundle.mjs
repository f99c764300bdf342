import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { StepFailed } from "./command.mjs";
import { dist, root, shown } from "./places.mjs";

const page = { platform: "browser", target: "chrome128", format: "iife" };
const node = { platform: "node", target: "node20", format: "cjs" };

/** The programs: entry, output, and what runs it. */
const bundles = [
  { entry: "src/extension/main.ts", out: "extension.cjs", options: { ...node, external: ["vscode"] } },
  { entry: "src/extension/document/analysisWorker.ts", out: "analysis.cjs", options: node },
  { entry: "src/timelineWorker/main.ts", out: "timeline.cjs", options: node },
  { entry: "src/profiler/main.ts", out: "profiler.cjs", options: node },
  { entry: "src/profiler/simulatorMain.ts", out: "simulator.cjs", options: node },
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
  { entry: "src/webview/timeline/main.ts", out: "webview.js", options: page },
  { entry: "src/webview/modules/main.ts", out: "modules.js", options: page },
  { entry: "src/webview/sweep/main.ts", out: "sweep.js", options: page },
];

/** Above this size JSON is bundled as a text that is parsed: the engine reads that three times as fast as a literal. */
const largeJsonBytes = 65_536;
const largeJson = {
  name: "large-json",
  setup(build) {
    build.onLoad({ filter: /\.json$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      if (text.length < largeJsonBytes) return undefined;
      return {
        contents: `export default /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(text)))})`,
        loader: "js",
      };
    });
  },
};

/**
 * Bundles extension, profiler process, CLI and webview into dist/.
 *
 * @param {{ release?: boolean }} [options] `release` minifies and leaves source maps out.
 * @returns {Promise<string[]>} the files that are inside the bundles, as esbuild names them
 */
export async function bundle({ release = false } = {}) {
  const { build } = await import("esbuild");
  const written = [];
  const inputs = new Set();
  for (const { entry, out, options } of bundles) {
    if (!existsSync(join(root, entry))) throw new StepFailed(`${entry} does not exist`);
    const outfile = join(dist, out);
    const { metafile } = await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      legalComments: "none",
      logLevel: "warning",
      minify: release,
      sourcemap: release ? false : "linked",
      metafile: true,
      plugins: [largeJson],
      ...options,
    }).catch((error) => {
      throw new StepFailed(`bundling ${entry} into ${shown(outfile)} failed: ${error.message}`);
    });
    written.push(...Object.keys(metafile.outputs).map((name) => resolve(root, name)));
    for (const output of Object.values(metafile.outputs)) {
      for (const [name, { bytesInOutput }] of Object.entries(output.inputs)) if (bytesInOutput > 0) inputs.add(name);
    }
    if (out === "cli.js") chmodSync(outfile, 0o755);
  }
  removeOtherFiles(dist, written);
  return [...inputs];
}

/**
 * Removes what an earlier build left: source maps of a development build, bundles that have another name now. Folders stay: the
 * native parts have theirs in dist/.
 *
 * @param {string} folder
 * @param {string[]} kept absolute paths
 */
export function removeOtherFiles(folder, kept) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (!entry.isDirectory() && !kept.includes(path)) rmSync(path);
  }
}
