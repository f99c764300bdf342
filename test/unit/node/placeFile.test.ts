import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeFile } from "../../../src/node/placeFile.js";

describe("placeFile", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "place-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("replaces a file by what was written beside it", async () => {
    const target = join(folder, "a.txt");
    writeFileSync(target, "old");
    await placeFile(target, async (draft) => {
      await writeFile(draft, "new");
      expect(readFileSync(target, "utf8")).toBe("old");
    });
    expect(readFileSync(target, "utf8")).toBe("new");
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });

  it("leaves everything as it was where the writing fails, and says why", async () => {
    const target = join(folder, "a.txt");
    writeFileSync(target, "old");
    const half = placeFile(target, async (draft) => {
      await writeFile(draft, "ne");
      throw new Error("disk full");
    });
    await expect(half).rejects.toThrow("disk full");
    await expect(placeFile(join(folder, "b.txt"), async () => undefined)).rejects.toThrow("ENOENT");
    expect([readFileSync(target, "utf8"), readdirSync(folder)]).toEqual(["old", ["a.txt"]]);
  });
});
