import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { isProgram, StepFailed, script } from "./command.mjs";
import { root } from "./places.mjs";

/*
 * Which room of native/ may include which: the arrows of its tree, held by the lint stage (biome reads no C++).
 *
 *   node src/dev/nativeArrows.mjs
 */

/** Every room, and the rooms that it may include beside itself. A file that lies in none of them is refused, too. */
export const arrows = {
  "engine/base": [],
  "engine/device": ["engine/base"],
  "engine/tape": ["engine/base", "engine/device"],
  "engine/model": ["engine/base", "engine/device", "engine/tape"],
  "engine/strategy": ["engine/base", "engine/device", "engine/tape", "engine/model"],
  "engine/profile": ["engine/base", "engine/device", "engine/tape", "engine/model", "engine/strategy"],
  cpu: ["engine/base", "engine/device"],
  cuda: ["engine/base", "engine/device", "cpu"],
  // The costs of the default op model are those of a simulated device that nobody told others.
  sim: ["engine/base", "engine/device", "engine/model"],
  devices: ["engine/base", "engine/device", "cpu", "cuda", "sim"],
  link: ["engine/base", "engine/device", "cpu", "sim"],
  tool: ["engine/base", "engine/device", "engine/model", "engine/strategy", "engine/profile", "sim", "devices", "link"],
  derive: ["engine/base", "engine/device", "engine/tape", "engine/model", "engine/strategy"],
  addon: ["engine/base", "engine/device", "engine/profile", "devices", "link"],
};

const isSource = (name) => /\.(cc|h|cu|cuh)(\.in)?$/.test(name);
const isInclude = /^[ \t]*#[ \t]*include[ \t]+"([^"]+)"/gm;

const roomOf = (path) => Object.keys(arrows).find((room) => path.startsWith(`${room}/`));

/**
 * The includes of a file that its room does not allow.
 *
 * @param {string} path below native/, with `/`
 * @param {string} text
 * @returns {string[]} one sentence each
 */
export function wrongArrows(path, text) {
  const room = roomOf(path);
  if (room === undefined) return [`${path} lies in no room: ${Object.keys(arrows).join(", ")}.`];
  return [...text.matchAll(isInclude)].flatMap(([, included]) => {
    // A name without a folder is a file beside it.
    if (!included.includes("/")) return [];
    const target = roomOf(included);
    if (target === undefined) return [`${path} includes ${included}, which lies in no room.`];
    if (target === room || arrows[room].includes(target)) return [];
    return [`${path} includes ${included}: ${room} may not know ${target}.`];
  });
}

/** Sources below a folder, each with its path from there. */
export function* nativeSources(folder = join(root, "native")) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !isSource(entry.name)) continue;
    const path = join(entry.parentPath ?? entry.path, entry.name);
    yield { path: relative(folder, path).split(sep).join("/"), text: readFileSync(path, "utf8") };
  }
}

/** @throws {StepFailed} naming every wrong include */
export function checkNativeArrows() {
  const wrong = [...nativeSources()].flatMap(({ path, text }) => wrongArrows(path, text));
  if (wrong.length > 0)
    throw new StepFailed(`${wrong.join("\n")}\nThe allowed arrows are in src/dev/nativeArrows.mjs.`);
}

if (isProgram(import.meta.url)) await script(async () => checkNativeArrows());
