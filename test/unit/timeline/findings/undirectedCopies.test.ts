import { expect, it } from "vitest";
import { findUndirectedCopies } from "../../../../src/core/timeline/findings/undirectedCopies.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { importText, kernel, traceOf } from "../import/chrome/traceSamples.js";

const copy = (name: string, ts: number) => ({
  ...{ ph: "X", cat: "gpu_memcpy", name, pid: 0, tid: 20, ts, dur: 1, args: { device: 0, stream: 20, bytes: 64 } },
});
const ofAscend = [
  { ph: "M", name: "process_name", pid: 5, args: { name: "Ascend Hardware" } },
  { ph: "X", name: "MatMulV3", pid: 5, tid: 3, ts: 1, dur: 20, args: { "Task Type": "AI_CORE" } },
  { ph: "X", name: "MEMCPY_ASYNC", pid: 5, tid: 4, ts: 5, dur: 9, args: { "Task Type": "PCIE_DMA_SQE" } },
  { ph: "X", name: "MEMCPY_ASYNC", pid: 5, tid: 4, ts: 25, dur: 9, args: { "Task Type": "SDMA_SQE" } },
];

function found(...elements: object[]) {
  const { timeline, report } = importText(traceOf(...elements));
  return findUndirectedCopies(indexTimeline(timeline, 0, report));
}

it("is silent where all copies say their direction, within the host too", () => {
  const names = ["Memcpy DtoH (Device -> Pinned)", "CopyHostToDevice", "Memcpy DtoD (Device -> Device)", "Memcpy PtoP"];
  expect(found(kernel(1, 2), ...names.map((name, at) => copy(name, 10 * at)), copy("Memcpy HtoH", 90))).toEqual([]);
});

it("counts the tasks of Ascend that only say that they copy", () => {
  const [only] = found(...ofAscend);
  expect(only).toMatchObject({ code: "COPIES_WITHOUT_DIRECTION", severity: "information", eventCount: 2 });
  expect(only?.message).toMatch(/^2 copies do not say in which direction: /);
});

it("speaks of one copy as one", () => {
  expect(found(kernel(1, 2), copy("Copy", 5))[0]?.message).toMatch(/^1 copy does not say/);
});
