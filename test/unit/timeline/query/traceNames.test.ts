import { describe, expect, it } from "vitest";
import { distinctFileNames, readTraceName, shortTraceNames } from "../../../../src/core/timeline/query/traceNames.js";

describe("readTraceName", () => {
  it.each([
    ["actor_actor-update_step2_rank0-of-2_pid10_20260901101112123.json.gz", "actor actor-update", 2, 0],
    ["ref_rank11_tp1_pid3_2026.json.gz", "ref", null, 11],
    ["step7_rank3-of-8_pid1_2026.json", "", 7, 3],
    ["rank-0.json.gz", "", null, 0],
    ["rollout/rank1.json", "rollout", null, 1],
    ["fsdp2_q8_rank1.pt.trace.json.gz", "fsdp2 q8", null, 1],
    ["trace_view.json", "", null, null],
    ["ranking.json", "", null, null],
  ])("%s", (name, context, step, rank) => {
    expect(readTraceName(name)).toEqual({ context, step, rank });
  });
});

describe("shortTraceNames", () => {
  it("names ranks, and where several have one, the role, scope and step too", () => {
    const files = (...names: readonly string[]) => names.map((fileName) => ({ fileName, rank: null }));
    expect(shortTraceNames(files("a_rank0.json", "a_rank1.json"))).toEqual(["rank 0", "rank 1"]);
    expect(shortTraceNames(files("actor_step1_rank0.json", "ref_step1_rank0.json", "actor_step2_rank0.json"))).toEqual([
      "actor step 1 rank 0",
      "ref step 1 rank 0",
      "actor step 2 rank 0",
    ]);
    expect(shortTraceNames(files("rank0.json", "rank0.json.gz"))).toEqual(["rank0.json", "rank0.json.gz"]);
    expect(shortTraceNames(files("one.json", "two.json"))).toEqual(["one.json", "two.json"]);
    // The header knows better than the name.
    expect(shortTraceNames([{ fileName: "x_rank7.json", rank: 3 }])).toEqual(["rank 3"]);
  });
});

describe("distinctFileNames", () => {
  it("takes folders before the names only where names are equal", () => {
    expect(distinctFileNames(["/job/actor/a.json", "/job/ref/b.json"])).toEqual(["a.json", "b.json"]);
    expect(distinctFileNames(["/job/actor/rank0.json", "/job/ref/rank0.json"])).toEqual([
      "actor/rank0.json",
      "ref/rank0.json",
    ]);
    expect(distinctFileNames(["/1/x/rank0.json", "/2/x/rank0.json"])).toEqual(["1/x/rank0.json", "2/x/rank0.json"]);
    expect(distinctFileNames(["/a/x.json", "/a/x.json"])).toEqual(["x.json", "x.json"]);
    expect(distinctFileNames([])).toEqual([]);
  });
});
