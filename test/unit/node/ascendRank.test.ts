import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readTrace } from "../../../src/node/readTrace.js";
import { kernel } from "../timeline/import/chrome/traceSamples.js";

const TRACE = "host_1_2026_ascend_pt/ASCEND_PROFILER_OUTPUT/trace_view.json";
let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "ascend-rank-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function put(name: string, text: string): void {
  const path = join(directory, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function rankOf(name: string): Promise<number | null | undefined> {
  put(name, JSON.stringify([kernel(1, 1)]));
  const read = await readTrace(join(directory, name));
  return read.ok ? read.value.timeline.rank : undefined;
}

it("is that of the profiler's own file beside the output", async () => {
  put("host_1_2026_ascend_pt/profiler_info_12.json", '{"rank_id": 12}');
  put("host_1_2026_ascend_pt/profiler_metadata.json", "{}");
  expect(await rankOf(TRACE)).toBe(12);
});

it("is not known without that file, with the one of a run without ranks, or with two of them", async () => {
  expect(await rankOf(TRACE)).toBeNull();
  put("host_1_2026_ascend_pt/profiler_info.json", "{}");
  expect(await rankOf(TRACE)).toBeNull();
  put("host_1_2026_ascend_pt/profiler_info_0.json", "{}");
  put("host_1_2026_ascend_pt/profiler_info_1.json", "{}");
  expect(await rankOf(TRACE)).toBeNull();
});

it("is not taken from files beside other folders", async () => {
  put("run/profiler_info_3.json", "{}");
  expect(await rankOf("run/traces/rank0.json")).toBeNull();
});
