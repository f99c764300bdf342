import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writePieces, writingProblem } from "../../../src/node/writePieces.js";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "write-"));
  mkdirSync(join(directory, "folder"));
});
afterAll(() => rmSync(directory, { recursive: true }));

async function causeOf(name: string): Promise<string | undefined> {
  const written = await writePieces(join(directory, name), ["text"]);
  expect(written.ok ? "" : written.problem.code).toBe("SAVE_FAILED");
  return written.ok ? undefined : written.problem.cause;
}

describe("writePieces", () => {
  it("writes through a link and leaves nothing else behind", async () => {
    writeFileSync(join(directory, "target.txt"), "before");
    symlinkSync("target.txt", join(directory, "link.txt"));
    expect((await writePieces(join(directory, "link.txt"), ["a", Buffer.from("b")])).ok).toBe(true);
    expect(readFileSync(join(directory, "target.txt"), "utf8")).toBe("ab");
    expect(readdirSync(directory).sort()).toEqual(["folder", "link.txt", "target.txt"]);
  });

  it("speaks of writing where writing fails", async () => {
    expect(await causeOf("absent/a.txt")).toBe("Its folder does not exist.");
    expect(await causeOf("target.txt/a.txt")).toBe("Its folder is no folder.");
    expect(await causeOf("folder")).toBe("It is a folder.");
    expect(await causeOf("n".repeat(300))).toBe("Its name is too long.");
    for (const [code, cause] of [
      ["ENOSPC", "The disk is full."],
      ["EACCES", "It may not be written there."],
      ["EIO", "The system reports EIO."],
    ]) {
      const problem = writingProblem("a.txt", Object.assign(new Error(), { code }));
      expect(problem).toMatchObject({ code: "SAVE_FAILED", message: "a.txt could not be written.", cause });
    }
  });

  it("leaves the old file where the pieces end early", async () => {
    function* broken() {
      yield "half";
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    }
    const path = join(directory, "target.txt");
    const before = readFileSync(path, "utf8");
    expect(await writePieces(path, broken())).toMatchObject({ problem: { cause: "The disk is full." } });
    expect(readFileSync(path, "utf8")).toBe(before);
    expect(readdirSync(directory).filter((name) => name.endsWith(".part"))).toEqual([]);
    expect(existsSync(path)).toBe(true);
  });
});
