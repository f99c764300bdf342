import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/*
 * What the tables of rooms in sourceArrows.mjs and nativeArrows.mjs have in common. A table gives every room the rooms that it may
 * know beside itself.
 *
 * @typedef {Readonly<Record<string, readonly string[]>>} Arrows
 */

/**
 * The room in which a file lies; of a room inside a room the inner one. A file that stands alone is a room of its own.
 *
 * @param {Arrows} arrows
 * @param {string} path with `/`
 * @returns {string | undefined}
 */
export function roomOf(arrows, path) {
  const around = Object.keys(arrows).filter((room) => path === room || path.startsWith(`${room}/`));
  return around.sort((left, right) => right.length - left.length)[0];
}

/**
 * What a file takes from rooms that its own may not know.
 *
 * @param {Arrows} arrows
 * @param {string} verb `imports` or `includes`
 * @param {string} path
 * @param {readonly string[]} taken paths of what it takes
 * @returns {string[]} one sentence each
 */
export function wrongBetween(arrows, verb, path, taken) {
  const room = roomOf(arrows, path);
  if (room === undefined) return [`${path} lies in no room: ${Object.keys(arrows).join(", ")}.`];
  return taken.flatMap((other) => {
    const target = roomOf(arrows, other);
    if (target === undefined) return [`${path} ${verb} ${other}, which lies in no room.`];
    if (target === room || arrows[room].includes(target)) return [];
    return [`${path} ${verb} ${other}: ${room} may not know ${target}.`];
  });
}

/**
 * Every room that a room can know, by whatever way; itself only where rooms know each other in a circle.
 *
 * @param {Arrows} arrows
 * @param {string} room
 * @returns {Set<string>}
 */
export function reachedFrom(arrows, room, seen = new Set()) {
  for (const next of arrows[room]) if (!seen.has(next)) reachedFrom(arrows, next, seen.add(next));
  return seen;
}

/**
 * Files below a folder.
 *
 * @param {string} folder
 * @param {(name: string) => boolean} isSource
 * @returns {Generator<{ path: string, text: string }>} `path` from the folder, with `/`
 */
export function* filesBelow(folder, isSource) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !isSource(entry.name)) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    yield { path: relative(folder, file).split(sep).join("/"), text: readFileSync(file, "utf8") };
  }
}
