import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
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
const core = ["core"];

/**
 * Every room, and the rooms that it may import beside itself; a name stands for everything below it that is no room of its own.
 * `core` in a list means all of core.
 */
export const arrows = {
  "core/base": [],
  "core/config/document": ["core/base"],
  "core/config/hydra": ["core/base", ...config("document")],
  "core/config/shell": ["core/base", ...config("document", "hydra")],
  "core/config/rules": ["core/base", ...config("document")],
  "core/config/patterns": ["core/base", ...config("document", "rules")],
  "core/config/verl": ["core/base", ...config("document", "rules", "patterns")],
  "core/config/veomni": ["core/base", ...config("document", "rules", "patterns", "verl")],
  "core/config/overrides": [
    "core/base",
    ...config("document", "hydra", "shell", "rules", "patterns", "verl", "veomni"),
  ],
  "core/config/schema": ["core/base", ...config("document", "rules", "verl", "veomni")],
  "core/config": [
    "core/base",
    ...config("document", "hydra", "shell", "rules", "patterns", "verl", "veomni", "overrides"),
  ],
  "core/config/assist": [
    "core/base",
    ...config("", "document", "hydra", "shell", "rules", "patterns", "verl", "veomni", "overrides"),
    ...modules("", "selection"),
  ],
  "core/config/migrate": ["core/base", ...config("", "document", "rules", "verl", "veomni")],
  "core/config/write": [
    "core/base",
    "core/profile",
    "core/sweep",
    ...config("", "document", "rules", "patterns", "verl", "veomni", "overrides", "assist"),
  ],
  "core/modules": ["core/base"],
  "core/modules/families": ["core/base", ...modules("")],
  "core/modules/source": ["core/base", ...modules("", "families")],
  "core/modules/selection": ["core/base", ...modules("")],
  "core/modules/estimate": ["core/base", ...modules("", "families", "selection")],
  "core/modules/view": ["core/base", ...config("", "document", "assist"), ...modules("", "selection", "estimate")],
  "core/profile": ["core/base", ...config("assist"), ...modules("", "source")],
  "core/sweep": ["core/base", "core/profile"],
  "core/effect": ["core/base", "core/profile", "core/sweep", ...config("", "document", "assist")],
  "core/timeline/columns": ["core/base"],
  "core/timeline/container": ["core/base", "core/profile", ...timeline("columns")],
  "core/timeline/metrics": ["core/base", "core/profile", ...timeline("columns")],
  "core/timeline/layers": ["core/base", ...timeline("columns", "metrics")],
  "core/timeline/import": ["core/base", ...timeline("columns", "container", "metrics", "layers")],
  "core/timeline/query": ["core/base", "core/profile", ...timeline("columns", "container", "metrics", "layers")],
  "core/timeline/findings": ["core/base", ...timeline("columns", "metrics", "layers", "query")],
  "core/timeline/export": ["core/base", ...timeline("columns", "metrics", "import")],
  "core/timeline": ["core/base", "core/profile", ...timeline("columns", "container", "metrics", "query", "findings")],
  node: core,
  timelineWorker: [...core, "node"],
  profiler: [...core, "node"],
  cli: [...core, "node"],
  extension: [...core, "node", "timelineWorker"],
  webview: core,
};

// The longest name first, so that a room inside a room is found.
const rooms = Object.keys(arrows).sort((left, right) => right.length - left.length);
const roomOf = (path) => rooms.find((room) => path.startsWith(`${room}/`));

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
  const room = roomOf(path);
  if (room === undefined) return [`${path} lies in no room: ${Object.keys(arrows).join(", ")}.`];
  return importsOf(path, text).flatMap((imported) => {
    const target = roomOf(imported);
    if (target === undefined) return [`${path} imports ${imported}, which lies in no room.`];
    const allowed = arrows[room];
    const isAllowed =
      target === room || allowed.includes(target) || (allowed.includes("core") && target.startsWith("core/"));
    return isAllowed ? [] : [`${path} imports ${imported}: ${room} may not know ${target}.`];
  });
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

/** TypeScript files below a folder, each with its path from there; declarations of styles are none. */
export function* sources(folder = join(root, "src")) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".ts") || entry.name.endsWith(".d.ts")) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    yield { path: relative(folder, file).split(sep).join("/"), text: readFileSync(file, "utf8") };
  }
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
