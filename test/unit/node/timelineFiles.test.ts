import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { expandTraceArgument, loadFile } from "../../../src/node/timelineFiles.js";
import { kernel, traceOf } from "../timeline/import/chrome/traceSamples.js";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "timeline-files-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

async function load(name: string) {
  const loaded = await loadFile(name, join(directory, name), {});
  return loaded.ok ? loaded.value.kind : loaded.problem;
}

describe("loadFile", () => {
  it("refuses pipes, devices and folders without waiting or reading, whatever their names say", async () => {
    for (const name of ["pipe.json", "pipe.offload"]) execFileSync("mkfifo", [join(directory, name)]);
    for (const name of ["zero.json", "zero.offload"]) symlinkSync("/dev/zero", join(directory, name));
    for (const name of ["pipe.json", "pipe.offload", "zero.json", "zero.offload", "."]) {
      expect(await load(name)).toMatchObject({
        code: "FILE_UNREADABLE",
        message: `${name} cannot be read.`,
        cause: "It is not a regular file.",
      });
    }
  });

  it("reads the ranks of a folder around one that is a pipe", async () => {
    execFileSync("mkfifo", [join(directory, "rank1.trace.json")]);
    writeFileSync(join(directory, "rank0.trace.json"), traceOf(kernel(1, 1)));
    const expanded = await expandTraceArgument("", directory);
    expect(expanded.ok && expanded.value.files).toEqual(["rank0.trace.json", "rank1.trace.json"]);
    expect(await load("rank0.trace.json")).toBe("trace");
    expect(await load("rank1.trace.json")).toMatchObject({ code: "FILE_UNREADABLE" });
  });
});
