import { join, posix } from "node:path";
import { filesBelow, wrongBetween } from "./arrows.mjs";
import { isProgram, StepFailed, script } from "./command.mjs";
import { root } from "./places.mjs";

/*
 * Which room of src/ may import which, types included, and that no files import each other in a circle. Biome knows the
 * arrows between the programs; the rooms inside core are held here, with everything else.
 *
 *   node src/dev/sourceArrows.mjs
 */

const config = (...names) => names.map((name) => (name === "" ? "core/config" : `core/config/${name}`));
const modules = (...names) => names.map((name) => (name === "" ? "core/modules" : `core/modules/${name}`));
const timeline = (...names) => names.map((name) => (name === "" ? "core/timeline" : `core/timeline/${name}`));
/** The rooms of core; a name stands for everything below it that is no room of its own. */
const coreArrows = {
  "core/base": [],
  "core/channel.ts": ["core/base"],
  // The reader of YAML: lines, characters, tokens, scalars, as PyYAML takes them.
  "core/config/yaml": ["core/base"],
  "core/config/document": ["core/base", ...config("yaml")],
  "core/config/hydra": ["core/base", ...config("yaml", "document")],
  "core/config/shell": ["core/base", ...config("yaml", "document", "hydra")],
  // Which kernels a model runs is a fact of its family, and rules on kernels ask for it.
  "core/config/rules": ["core/base", ...config("yaml", "document"), ...modules("families")],
  "core/config/patterns": ["core/base", ...config("yaml", "document", "rules")],
  "core/config/verl": ["core/base", ...config("yaml", "document", "rules", "patterns"), ...modules("families")],
  // VeOmni's own YAML is only what verl's is not, so its reader asks verl's.
  "core/config/veomni": [
    "core/base",
    ...config("yaml", "document", "rules", "patterns", "verl"),
    ...modules("families"),
  ],
  "core/config/overrides": [
    "core/base",
    ...config("yaml", "document", "hydra", "shell", "rules", "patterns", "verl", "veomni"),
  ],
  "core/config/schema": ["core/base", ...config("document", "rules", "verl", "veomni")],
  "core/config": [
    "core/base",
    ...config("yaml", "document", "hydra", "shell", "rules", "patterns", "verl", "veomni", "overrides"),
  ],
  "core/config/assist": [
    "core/base",
    ...config("", "yaml", "document", "hydra", "shell", "rules", "patterns", "verl", "veomni", "overrides"),
    ...modules("", "selection"),
  ],
  "core/config/write": [
    "core/base",
    "core/profile",
    "core/sweep",
    ...config("", "yaml", "document", "rules", "patterns", "verl", "veomni", "overrides", "assist"),
  ],
  "core/config/migrate": ["core/base", ...config("", "yaml", "document", "rules", "verl", "veomni", "write")],
  "core/modules": ["core/base"],
  "core/modules/families": ["core/base", ...modules("")],
  "core/modules/source": ["core/base", ...modules("", "families")],
  "core/modules/selection": ["core/base", ...modules("")],
  "core/modules/estimate": ["core/base", ...modules("", "families", "selection")],
  "core/modules/view": [
    "core/base",
    "core/channel.ts",
    ...config("", "document", "assist"),
    ...modules("", "selection", "estimate"),
  ],
  "core/profile": ["core/base", "core/channel.ts", ...config("assist"), ...modules("", "families", "source")],
  "core/sweep": ["core/base", "core/channel.ts", "core/profile"],
  // What of a job's workload the engine is asked for, and what is said of it.
  "core/workload": ["core/base", "core/profile", ...config("document")],
  "core/effect": ["core/base", "core/profile", "core/sweep", "core/workload", ...config("", "document", "assist")],
  // Single keys of a configuration: read, written and judged as any other text, then simulated.
  "core/lever": [
    "core/base",
    "core/profile",
    "core/sweep",
    "core/workload",
    ...config("", "document", "verl", "veomni", "write"),
  ],
  "core/timeline/columns": ["core/base"],
  "core/timeline/container": ["core/base", "core/profile", ...timeline("columns")],
  "core/timeline/metrics": ["core/base", "core/profile", ...timeline("columns")],
  "core/timeline/layers": ["core/base", ...timeline("columns", "metrics")],
  // A file that this tool saved is told from a trace by how its container begins.
  "core/timeline/import": ["core/base", ...timeline("columns", "container", "metrics", "layers")],
  "core/timeline/query": [
    "core/base",
    "core/channel.ts",
    "core/profile",
    ...timeline("columns", "container", "metrics", "layers"),
  ],
  "core/timeline/findings": ["core/base", ...timeline("columns", "metrics", "layers", "query")],
  "core/timeline/export": ["core/base", ...timeline("columns", "metrics", "import")],
  "core/timeline": ["core/base", "core/profile", ...timeline("columns", "container", "metrics", "query", "findings")],
};
const core = Object.keys(coreArrows);

/** What the rooms of the editor's shell may know of each other; `extension` itself holds what all of them use. */
const shell = (...names) => [
  ...core,
  "node",
  ...names.map((name) => (name === "" ? "extension" : `extension/${name}`)),
];
const shellArrows = {
  extension: shell(),
  // Where models are, their trees, and what is kept of them.
  "extension/model": shell(""),
  // A document as it was read, and which block a command is about; both ask which model it names.
  "extension/document": shell("", "model"),
  "extension/modelCommands": shell("", "model", "document"),
  "extension/modules": shell("", "model", "document"),
  // The code lens opens the list of modules.
  "extension/language": shell("", "model", "document", "modules"),
  "extension/profile": shell("", "model", "document"),
  "extension/whatIf": shell("", "model", "document"),
  "extension/timeline": [...shell(""), "timelineWorker"],
  "extension/main.ts": shell(
    "",
    ...["model", "document", "modelCommands", "modules", "language", "profile", "whatIf", "timeline"],
  ),
};

/** Every room, and the rooms that it may import beside itself. */
export const arrows = {
  ...coreArrows,
  node: core,
  timelineWorker: [...core, "node"],
  profiler: [...core, "node"],
  cli: [...core, "node"],
  ...shellArrows,
  "webview/kit": core,
  "webview/modules": [...core, "webview/kit"],
  "webview/sweep": [...core, "webview/kit"],
  "webview/timeline": [...core, "webview/kit"],
};

const isImport =
  /(?:^|[\s;])(?:import|export)\s(?:[^"';]*?\sfrom\s)?["'](\.[^"']+)["']|import\(\s*["'](\.[^"']+)["']\s*\)/g;

/**
 * What a file imports from its neighbours, types included.
 *
 * @param {string} path below src/, with `/`
 * @param {string} text
 * @returns {string[]} paths below src/, as TypeScript files
 */
export function importsOf(path, text) {
  return [...text.matchAll(isImport)].map(([, from, dynamic]) =>
    posix.join(posix.dirname(path), (from ?? dynamic).replace(/\.js$/, ".ts")),
  );
}

/**
 * The imports of a file that its room does not allow.
 *
 * @param {string} path below src/, with `/`
 * @param {string} text
 * @returns {string[]} one sentence each
 */
export function wrongArrows(path, text) {
  return wrongBetween(arrows, "imports", path, importsOf(path, text));
}

/**
 * Files that import each other, types included, each circle once.
 *
 * @param {ReadonlyMap<string, readonly string[]>} imports of each file
 * @returns {string[][]}
 */
export function circles(imports) {
  const found = [];
  const state = new Map();
  const trail = [];
  const visit = (file) => {
    if (state.get(file) === "done") return;
    if (state.get(file) === "open") {
      found.push(trail.slice(trail.indexOf(file)));
      return;
    }
    state.set(file, "open");
    trail.push(file);
    for (const next of imports.get(file) ?? []) if (imports.has(next)) visit(next);
    trail.pop();
    state.set(file, "done");
  };
  for (const file of imports.keys()) visit(file);
  return found;
}

/** TypeScript files below src/, each with its path from there; declarations of styles are none. */
export function sources() {
  return filesBelow(join(root, "src"), (name) => name.endsWith(".ts") && !name.endsWith(".d.ts"));
}

/** @throws {StepFailed} naming every wrong import and every circle */
export function checkSourceArrows() {
  const all = [...sources()];
  const wrong = all.flatMap(({ path, text }) => wrongArrows(path, text));
  const round = circles(new Map(all.map(({ path, text }) => [path, importsOf(path, text)])));
  wrong.push(...round.map((circle) => `In a circle: ${[...circle, circle[0]].join(" -> ")}.`));
  if (wrong.length > 0) {
    throw new StepFailed(`${wrong.join("\n")}\nThe allowed arrows are in src/dev/sourceArrows.mjs.`);
  }
}

if (isProgram(import.meta.url)) await script(async () => checkSourceArrows());
