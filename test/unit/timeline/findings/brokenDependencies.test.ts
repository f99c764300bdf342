import { describe, expect, it } from "vitest";
import { EventKind } from "../../../../src/core/timeline/columns/eventKind.js";
import { findBrokenDependencies } from "../../../../src/core/timeline/findings/brokenDependencies.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { type SampleEvent, timelineOf } from "../columnSamples.js";

const COMPUTE = 0;
const HOST = 3;
const product: SampleEvent = { lane: COMPUTE, startNs: 0, durationNs: 50, name: "log-softmax" };

function messages(event: Partial<SampleEvent>): readonly string[] {
  const dependent: SampleEvent = { lane: HOST, startNs: 20, durationNs: 40, kind: EventKind.other, ...event };
  const timeline = timelineOf([product, { ...dependent, dependsOn: product, name: "loss on the host" }]);
  return findBrokenDependencies(indexTimeline(timeline)).map(({ message }) => message.replaceAll("\u00a0", " "));
}

describe("findBrokenDependencies", () => {
  it("lets the host wait inside of what it reads, until the value is there", () => {
    expect(messages({ durationNs: 40 })).toEqual([]);
    expect(messages({ durationNs: 30 })).toEqual([]);
  });

  it("finds a host that has read before the value was there", () => {
    expect(messages({ durationNs: 29 })).toEqual([
      "loss on the host begins 30 ns before log-softmax has ended, which it depends on.",
    ]);
  });

  it("finds work of a device by its begin, however long it takes", () => {
    expect(messages({ lane: COMPUTE, durationNs: 100, kind: EventKind.kernel })).toHaveLength(1);
  });
});
