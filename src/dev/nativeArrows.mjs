import { join } from "node:path";
import { filesBelow, wrongBetween } from "./arrows.mjs";
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
  "engine/head": ["engine/base", "engine/device", "engine/tape", "engine/model"],
  "engine/train": ["engine/base", "engine/device", "engine/tape", "engine/model", "engine/strategy", "engine/head"],
  "engine/profile": [
    "engine/base",
    "engine/device",
    "engine/tape",
    "engine/model",
    "engine/strategy",
    "engine/head",
    "engine/train",
  ],
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

/**
 * The includes of a file that its room does not allow.
 *
 * @param {string} path below native/, with `/`
 * @param {string} text
 * @returns {string[]} one sentence each
 */
export function wrongArrows(path, text) {
  const included = [...text.matchAll(isInclude)].map(([, name]) => name);
  // A name without a folder is a file beside it.
  const fromRooms = included.filter((name) => name.includes("/"));
  return wrongBetween(arrows, "includes", path, fromRooms);
}

/** Sources below native/, each with its path from there. */
export function nativeSources() {
  return filesBelow(join(root, "native"), isSource);
}

/** @throws {StepFailed} naming every wrong include */
export function checkNativeArrows() {
  const wrong = [...nativeSources()].flatMap(({ path, text }) => wrongArrows(path, text));
  if (wrong.length > 0)
    throw new StepFailed(`${wrong.join("\n")}\nThe allowed arrows are in src/dev/nativeArrows.mjs.`);
}

if (isProgram(import.meta.url)) await script(async () => checkNativeArrows());
