import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { nodeFiles } from "../../../src/node/nodeFiles.js";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "files-"));
  writeFileSync(join(directory, "b"), "0123456789");
  mkdirSync(join(directory, "a"));
});
afterAll(() => rmSync(directory, { recursive: true }));

describe("nodeFiles", () => {
  it("tells files from directories", async () => {
    expect(await nodeFiles.info(join(directory, "b"))).toEqual({ ok: true, value: { kind: "file", sizeBytes: 10 } });
    expect(await nodeFiles.info(join(directory, "a"))).toMatchObject({ value: { kind: "directory" } });
    expect(await nodeFiles.list(directory)).toEqual({ ok: true, value: ["a", "b"] });
  });

  it("reads ranges, shorter only at the end", async () => {
    const range = async (offset: number, length: number) => {
      const bytes = await nodeFiles.readBytes(join(directory, "b"), offset, length);
      return bytes.ok ? new TextDecoder().decode(bytes.value) : bytes.problem.code;
    };
    expect(await range(2, 3)).toBe("234");
    expect(await range(8, 2 ** 50)).toBe("89");
    expect(await range(20, 5)).toBe("");
  });

  it("fails with coded problems", async () => {
    expect(await nodeFiles.info(join(directory, "c"))).toMatchObject({ problem: { code: "FILE_MISSING" } });
    expect(await nodeFiles.list(join(directory, "b"))).toMatchObject({ problem: { code: "FILE_MISSING" } });
    expect(await nodeFiles.readBytes(join(directory, "a"), 0, 1)).toMatchObject({
      problem: { code: "FILE_UNREADABLE" },
    });
  });

  it("never waits for a pipe", async () => {
    const pipe = join(directory, "pipe");
    execFileSync("mkfifo", [pipe]);
    expect(await nodeFiles.info(pipe)).toMatchObject({ value: { kind: "other" } });
    expect(await nodeFiles.readBytes(pipe, 0, 8)).toMatchObject({
      problem: { code: "FILE_UNREADABLE", cause: "It is not a regular file." },
    });
  });
});
