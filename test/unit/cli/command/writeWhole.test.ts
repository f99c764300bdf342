import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { fileWriter, writeWhole } from "../../../../src/cli/command/writeWhole.js";

it("goes on behind a short write, also within a letter", () => {
  const got: number[] = [];
  writeWhole("añ😀z", (bytes, from) => {
    got.push(bytes[from] ?? 0);
    return 1;
  });
  expect(Buffer.from(got).toString()).toBe("añ😀z");
});

it("throws when a disk takes a part and then nothing", () => {
  let free = 3;
  const full = Object.assign(new Error("no space"), { code: "ENOSPC" });
  const write = (bytes: Uint8Array, from: number) => {
    if (free === 0) throw full;
    const taken = Math.min(free, bytes.length - from);
    free -= taken;
    return taken;
  };
  expect(() => writeWhole("results", write)).toThrow(full);
});

it("writes one text behind the other into a file, and leaves what is none to its stream", () => {
  const folder = mkdtempSync(join(tmpdir(), "whole-"));
  const path = join(folder, "out");
  const descriptor = openSync(path, "w");
  const write = fileWriter(descriptor);
  if (write !== undefined) for (const text of ["one\n", "two\n"]) writeWhole(text, write);
  closeSync(descriptor);
  expect(readFileSync(path, "utf8")).toBe("one\ntwo\n");
  expect(fileWriter(descriptor)).toBeUndefined();
  const device = openSync("/dev/null", "w");
  expect(fileWriter(device)).toBeUndefined();
  closeSync(device);
  rmSync(folder, { recursive: true });
});
