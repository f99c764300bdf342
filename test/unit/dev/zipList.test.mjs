import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listZip } from "../../../src/dev/zipList.mjs";

let folder;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "offload-lens-zip-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function directoryEntry(name, sizeBytes) {
  const entry = Buffer.alloc(46 + name.length);
  entry.writeUInt32LE(0x02014b50, 0);
  entry.writeUInt32LE(sizeBytes, 24);
  entry.writeUInt16LE(name.length, 28);
  entry.write(name, 46);
  return entry;
}

/** An archive whose members' data is left out: only the directory matters here. */
function archive(entries, comment = "") {
  const directory = Buffer.concat(entries.map(([name, sizeBytes]) => directoryEntry(name, sizeBytes)));
  const end = Buffer.alloc(22 + comment.length);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.write(comment, 22);
  return Buffer.concat([directory, end]);
}

function write(bytes) {
  const path = join(folder, "a.zip");
  writeFileSync(path, bytes);
  return path;
}

describe("listZip", () => {
  test("lists files with their unpacked sizes and leaves folders out", () => {
    const path = write(
      archive([
        ["dist/", 0],
        ["dist/cli.js", 1234],
        ["README.md", 5],
      ]),
    );
    expect(listZip(path)).toEqual([
      { name: "dist/cli.js", sizeBytes: 1234 },
      { name: "README.md", sizeBytes: 5 },
    ]);
  });

  test("finds the directory before a comment", () => {
    expect(listZip(write(archive([["a", 1]], "made by hand")))).toEqual([{ name: "a", sizeBytes: 1 }]);
  });

  test("refuses what is no archive", () => {
    expect(() => listZip(write(Buffer.from("plain text, long enough to search in")))).toThrow(/not a zip archive/);
  });
});
