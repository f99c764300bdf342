import { readFileSync } from "node:fs";

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;
const endOfDirectorySize = 22;

/**
 * Names and unpacked sizes of the files in a zip archive, in archive order. Reads the central directory only (zip format,
 * APPNOTE 4.3.12 and 4.3.16); archives of 4 GiB or more are not supported.
 *
 * @param {string} path
 * @returns {{ name: string, sizeBytes: number }[]}
 */
export function listZip(path) {
  const bytes = readFileSync(path);
  let end = bytes.length - endOfDirectorySize;
  while (end >= 0 && bytes.readUInt32LE(end) !== endOfDirectory) end -= 1;
  if (end < 0) throw new Error(`${path} is not a zip archive`);
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  const files = [];
  for (let index = 0; index < count; index += 1) {
    if (bytes.readUInt32LE(at) !== directoryEntry) throw new Error(`${path} has a broken directory`);
    const nameLength = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + 46, at + 46 + nameLength);
    files.push({ name, sizeBytes: bytes.readUInt32LE(at + 24) });
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files.filter(({ name }) => !name.endsWith("/"));
}
