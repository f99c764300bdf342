// @slow: large inputs or many cases.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findTraces } from "../../../src/node/traceFolder.js";
import { kernel, traceOf } from "../timeline/import/chrome/traceSamples.js";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "trace-folder-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const trace = traceOf(kernel(1, 1));

function put(path: string, content: string | Uint8Array = trace): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true });
  writeFileSync(join(directory, path), content);
}

async function find() {
  const found = await findTraces("job", directory);
  if (!found.ok) throw new Error(found.problem.message);
  return found.value;
}

describe("findTraces", () => {
  it("finds traces by content, in folders by role, in the order of ranks", async () => {
    const verl = (role: string, rank: number) => `${role}/${role}_update_step2_rank${rank}-of-12_pid7_2026.json.gz`;
    for (const rank of [10, 2, 0]) for (const role of ["ref", "actor"]) put(verl(role, rank), gzipSync(trace));
    put("rank-0.json.gz", gzipSync(trace));
    put("no-extension");
    put("config.json", '{"model_type": "qwen3"}');
    const { traces, others, isCut } = await find();
    expect(traces).toEqual([
      ...[0, 2, 10].map((rank) => verl("actor", rank)),
      "no-extension",
      "rank-0.json.gz",
      ...[0, 2, 10].map((rank) => verl("ref", rank)),
    ]);
    expect(others.map(({ path, what }) => [path, what])).toEqual([["config.json", "JSON without trace events"]]);
    expect(isCut).toBe(false);
  });

  it("takes Ascend's output, not the raw data that it was made of", async () => {
    const host = "step_1/actor/node_12_2026_ascend_pt";
    put(`${host}/ASCEND_PROFILER_OUTPUT/trace_view.json`, `[${JSON.stringify(kernel(1, 1))}]`);
    put(`${host}/ASCEND_PROFILER_OUTPUT/kernel_details.csv`, "Name,Type\n");
    put(`${host}/PROF_000001/mindstudio_profiler_output/msprof_2026.json`, `[${JSON.stringify(kernel(1, 1))}]`);
    put(`${host}/FRAMEWORK/torch.op_range`, "x");
    const { traces, others } = await find();
    expect(traces).toEqual([`${host}/ASCEND_PROFILER_OUTPUT/trace_view.json`]);
    expect(others.map(({ what }) => what)).toEqual(["a text that is no JSON"]);
  });

  it("keeps a rank whose content is not there among the traces, so that its loss is said", async () => {
    put("rank0.json");
    put("rank1.json", "");
    put("rank2.json.gz", gzipSync(trace).subarray(0, 4));
    put("rank3.json", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n");
    put("notes.txt", "");
    const { traces, others } = await find();
    expect(traces).toEqual(["rank0.json", "rank1.json", "rank2.json.gz", "rank3.json"]);
    expect(others).toMatchObject([{ path: "notes.txt", what: "empty" }]);
  });

  it("names links that lead nowhere and names that are no UTF-8, and keeps such a rank among the traces", async () => {
    put("rank0.json");
    for (const name of ["rank1.json.gz", "notes"]) symlinkSync("../objects/gone", join(directory, name));
    writeFileSync(Buffer.concat([Buffer.from(`${directory}/bad`), Buffer.from([0xff])]), trace);
    const { traces, others } = await find();
    expect(traces).toEqual(["rank0.json", "rank1.json.gz"]);
    expect(others.map(({ path, what }) => [path, what])).toEqual([
      ["bad\uFFFD", "a name that is no UTF-8"],
      ["notes", "a link that leads nowhere"],
    ]);
  });

  // Root may list every folder.
  it.skipIf(process.getuid?.() === 0)("names a folder below that cannot be listed", async () => {
    put("rank0.json");
    put("other/rank1.json");
    chmodSync(join(directory, "other"), 0);
    const { traces, others } = await find();
    chmodSync(join(directory, "other"), 0o755);
    expect(traces).toEqual(["rank0.json"]);
    expect(others).toMatchObject([{ path: "other", what: "a folder that cannot be listed" }]);
  });

  it("does not follow a link in circles, nor look into hidden folders", async () => {
    put("a/rank0.json");
    put(".cache/rank1.json");
    symlinkSync(directory, join(directory, "a", "again"));
    expect((await find()).traces).toEqual([join("a", "rank0.json")]);
  });

  it("counts a trace once, however many links lead to it, and one that only links lead to", async () => {
    put("a/rank0.json");
    put(".store/rank1.json");
    symlinkSync(join(directory, "a", "rank0.json"), join(directory, "a", "latest.json"));
    symlinkSync("a/rank0.json", join(directory, "0.json"));
    for (const name of ["rank1.json", "rank1-again.json"]) symlinkSync(".store/rank1.json", join(directory, name));
    const { traces, others } = await find();
    expect(traces).toHaveLength(2);
    expect(traces).toContain(join("a", "rank0.json"));
    expect(others.map(({ what }) => what)).toEqual(Array(3).fill("a link to a trace that is listed already"));
  });

  it("looks at a bounded depth, and says that there is more", async () => {
    put(`${"d/".repeat(8)}rank0.json`);
    expect(await find()).toMatchObject({ traces: [`${"d/".repeat(8)}rank0.json`], isCut: false });
    put(`${"d/".repeat(9)}rank1.json`);
    expect(await find()).toMatchObject({ traces: [`${"d/".repeat(8)}rank0.json`], isCut: true });
  });

  it("finds a trace behind thousands of other files, and counts what it did not open", async () => {
    for (let file = 0; file < 5_003; file++) put(`a/${file}.txt`, "");
    put("z/rank0.json");
    const { traces, others, isCut, unopened } = await find();
    expect(traces).toEqual(["z/rank0.json"]);
    expect([others.length, isCut, unopened]).toEqual([5_000, false, 3]);
  });

  it("does not inflate what was made to fill a machine", async () => {
    put("bomb.json.gz", gzipSync(Buffer.alloc(200 * 2 ** 20, " ")));
    expect((await find()).traces).toEqual([]);
  });

  it("fails where the folder cannot be listed", async () => {
    const found = await findTraces("absent", join(directory, "absent"));
    expect(found.ok ? undefined : found.problem.code).toBe("FILE_MISSING");
  });
});
