import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replaceFile } from "../../../../src/cli/command/replaceFile.js";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "offload-lens-replace-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("replaceFile", () => {
  it("refuses when the file says something else by now", async () => {
    await writeFile(join(folder, "a.yaml"), "theirs\n");
    const outcome = await replaceFile("a.yaml", join(folder, "a.yaml"), "ours\n", "new\n");
    expect(outcome).toMatchObject({ ok: false, problem: { code: "FILE_CHANGED" } });
    expect(await readFile(join(folder, "a.yaml"), "utf8")).toBe("theirs\n");
    expect(await readdir(folder)).toEqual(["a.yaml"]);
  });

  it("says when the file cannot be written", async () => {
    const outcome = await replaceFile("gone.yaml", join(folder, "gone.yaml"), "", "new\n");
    expect(outcome).toMatchObject({ ok: false, problem: { code: "FILE_NOT_WRITABLE" } });
    expect(await readdir(folder)).toEqual([]);
  });

  it("replaces the whole text", async () => {
    await writeFile(join(folder, "a.yaml"), "long old text\n");
    expect(await replaceFile("a.yaml", join(folder, "a.yaml"), "long old text\n", "new\n")).toEqual({
      ok: true,
      value: undefined,
    });
    expect(await readFile(join(folder, "a.yaml"), "utf8")).toBe("new\n");
    expect(await readdir(folder)).toEqual(["a.yaml"]);
  });
});
