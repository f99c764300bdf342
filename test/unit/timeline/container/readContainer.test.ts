import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Timeline } from "../../../../src/core/timeline/columns/columns.js";
import type { ContainerHeader } from "../../../../src/core/timeline/container/container.js";
import { readContainer } from "../../../../src/core/timeline/container/readContainer.js";
import { measureTimeline } from "../../../../src/core/timeline/metrics/metrics.js";
import { writeContainer, writeRawContainer } from "../../profile/containerWriter.js";
import { sampleContainer, sampleProfile } from "../../profile/sampleProfile.js";

const { result, timelines } = sampleProfile(4);
const stored = timelines.map((timeline, run) => ({ run, timeline }));

function codeOf(bytes: Uint8Array): string {
  const outcome = readContainer(bytes);
  return outcome.ok ? "ok" : outcome.problem.code;
}

/** The code after one change of the parsed header. */
function codeAfter(change: (header: ContainerHeader) => unknown): string {
  return codeOf(
    writeContainer(result, stored, (header) => {
      const copy = structuredClone(header);
      change(copy);
      return copy;
    }),
  );
}

function first<T>(list: readonly T[]): T {
  const [head] = list;
  if (head === undefined) throw new Error("the sample has none");
  return head;
}

describe("readContainer", () => {
  it("gives back what was written", () => {
    const outcome = readContainer(sampleContainer(4));
    if (!outcome.ok) throw new Error(outcome.problem.cause);
    expect(outcome.value.result).toEqual(result);
    expect(outcome.value.timelines).toEqual(timelines);
  });

  it("reads bytes that start at an odd address", () => {
    const bytes = sampleContainer(4);
    const shifted = new Uint8Array(bytes.length + 3);
    shifted.set(bytes, 3);
    const outcome = readContainer(shifted.subarray(3));
    if (!outcome.ok) throw new Error(outcome.problem.cause);
    expect(outcome.value.timelines).toEqual(timelines);
  });

  it("copies out of a pooled Buffer that starts at an odd address", () => {
    const bytes = sampleContainer(4);
    const pooled = Buffer.alloc(bytes.length + 5);
    pooled.set(bytes, 5);
    expect(codeOf(pooled.subarray(5))).toBe("ok");
  });

  it("leaves a run without a timeline empty", () => {
    const outcome = readContainer(writeContainer(result, stored.slice(1, 2)));
    expect(outcome.ok && outcome.value.timelines.map((timeline) => timeline !== null)).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it("reads what the native engine wrote, and measures in its columns what its result says", () => {
    const outcome = readContainer(readFileSync("test/fixtures/profiles/qwen3-tiny-cpu.offload"));
    if (!outcome.ok) throw new Error(outcome.problem.cause);
    const { result: written, timelines: recorded } = outcome.value;
    expect(written.runs.map((run) => [run.strategy, run.gradientCheckpointing])).toEqual([
      ["none", true],
      ["none", false],
      ["veomni_async", true],
      ["veomni_async", false],
    ]);
    written.runs.forEach((run, at) => {
      const timeline = recorded[at];
      if (timeline === null || timeline === undefined) throw new Error(`run ${at} was not recorded`);
      const { metrics } = measureTimeline(timeline);
      expect({ d2h: metrics.d2h, h2d: metrics.h2d }).toMatchObject(run.copies);
      expect(metrics.computeWaitNs / 1e6).toBeCloseTo(run.streamStallMs, 6);
      const peakOf = (of: string) =>
        Math.max(...(timeline.memory.find((curve) => curve.of === of)?.bytes ?? [Number.NaN]));
      expect([peakOf("device"), peakOf("pinned")]).toEqual([run.peakBytes, run.pinnedPeakBytes]);
    });
    // Three of four layer inputs of 2 x 256 tokens, 64 wide, 2 bytes each.
    expect(written.runs[2]?.copies.d2h).toMatchObject({ count: 3, bytes: 3 * 2 * 256 * 64 * 2 });
  });

  it("reads the parts of device memory of a whole step: they add up to its curve, and at its peak to the result", () => {
    const outcome = readContainer(readFileSync("test/fixtures/profiles/whole-step-qwen3-0.6b.offload"));
    if (!outcome.ok) throw new Error(outcome.problem.cause);
    const { result: written, timelines: recorded } = outcome.value;
    written.runs.forEach((run, at) => {
      const curve = recorded[at]?.memory.find(({ of }) => of === "device");
      if (curve?.parts === undefined) throw new Error(`run ${at} has no parts`);
      const held = [...curve.parts.startBytes];
      const sums = Array.from(curve.parts.part, (part, change) => {
        held[part] = curve.parts?.partBytes[change] ?? Number.NaN;
        return held.reduce((sum, bytes) => sum + bytes, 0);
      });
      // Only between the two changes of a move are bytes in neither part.
      const apart = sums.filter((sum, change) => sum !== curve.bytes[change]).length;
      expect(apart).toBeLessThan(sums.length / 10);
      sums.forEach((sum, change) => {
        const isMoved = curve.bytes[change] === curve.bytes[change + 1] || sum === curve.bytes[change];
        expect(isMoved, `change ${change}`).toBe(true);
      });
      expect(Math.max(...sums)).toBe(run.peakBytes);
      expect(run.peak?.parts.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(run.peakBytes);
      expect(recorded[at]?.spans.slice(1).map(({ label }) => label)).toEqual([
        "stack forward",
        "head forward",
        "head backward",
        "stack backward",
        "clip",
        "optimizer",
      ]);
    });
  });

  it("refuses parts of memory that lie", () => {
    const bytes = readFileSync("test/fixtures/profiles/whole-step-qwen3-0.6b.offload");
    const codeWith = (from: string, to: string) => {
      const copy = Buffer.from(bytes);
      copy.write(to, copy.indexOf(from), "latin1");
      return codeOf(copy);
    };
    expect(codeWith('"names":["parameters"', '"names":["parametres"')).toBe("CONTAINER_INVALID");
    expect(codeWith('"part":{"type":"u8"', '"part":{"type":"i8"')).toBe("CONTAINER_INVALID");
    expect(codeWith('"startBytes":[', '"startbytes":[')).toBe("CONTAINER_INVALID");
  });

  it("names every cut as truncated, whatever the length", () => {
    const bytes = sampleContainer(2);
    for (let length = 0; length < bytes.length - 8; length += length < 64 ? 1 : 997)
      expect(codeOf(bytes.subarray(0, length)), `cut to ${length}`).toBe("CONTAINER_TRUNCATED");
  });

  it("tells a foreign file from a broken one", () => {
    expect(codeOf(new TextEncoder().encode("PK\u0003\u0004 something else entirely"))).toBe("CONTAINER_FOREIGN");
    expect(codeOf(writeRawContainer('{"format":"offload-container/2"}'))).toBe("CONTAINER_FOREIGN");
    expect(codeOf(writeRawContainer("not json"))).toBe("CONTAINER_INVALID");
    expect(codeOf(writeRawContainer("null"))).toBe("CONTAINER_INVALID");
    expect(codeOf(writeRawContainer("[]"))).toBe("CONTAINER_INVALID");
  });

  it("bounds the header before it decodes anything", () => {
    const bytes = sampleContainer(2);
    new DataView(bytes.buffer).setBigUint64(8, 2n ** 63n, true);
    expect(codeOf(bytes)).toBe("CONTAINER_INVALID");
    new DataView(bytes.buffer).setBigUint64(8, BigInt(bytes.length), true);
    expect(codeOf(bytes)).toBe("CONTAINER_TRUNCATED");
  });

  it("refuses columns that lie", () => {
    const columns = (header: ContainerHeader) => first(header.timelines).events;
    expect(codeAfter((header) => Object.assign(columns(header).startNs, { offset: 4 }))).toBe("CONTAINER_INVALID");
    expect(codeAfter((header) => Object.assign(columns(header).startNs, { length: 2 ** 40 }))).toBe(
      "CONTAINER_TRUNCATED",
    );
    expect(codeAfter((header) => Object.assign(columns(header).kind, { length: 3 }))).toBe("CONTAINER_INVALID");
    expect(codeAfter((header) => Object.assign(columns(header).lane, { type: "i32" }))).toBe("CONTAINER_INVALID");
    expect(codeAfter((header) => Object.assign(columns(header).startNs, { offset: -8 }))).toBe("CONTAINER_INVALID");
    // Durations read as starts are not in order.
    expect(codeAfter((header) => Object.assign(columns(header), { startNs: columns(header).durationNs }))).toBe(
      "CONTAINER_INVALID",
    );
  });

  it("refuses indices outside their tables", () => {
    expect(codeAfter((header) => Object.assign(first(header.timelines).strings, { length: 1 }))).toBe(
      "CONTAINER_INVALID",
    );
    expect(codeAfter((header) => Object.assign(first(header.timelines).lanes, { length: 0 }))).toBe(
      "CONTAINER_INVALID",
    );
    expect(codeAfter((header) => Object.assign(first(header.timelines), { run: 4 }))).toBe("CONTAINER_INVALID");
    expect(codeAfter((header) => Object.assign(first(header.timelines), { run: 1 }))).toBe("CONTAINER_INVALID");
    const ahead = structuredClone(first(timelines));
    ahead.events.dependsOn[0] = ahead.events.startNs.length;
    expect(codeOf(writeContainer(result, [{ run: 0, timeline: ahead }]))).toBe("CONTAINER_INVALID");
    const notANumber = structuredClone(first(timelines));
    notANumber.events.startNs[1] = Number.NaN;
    expect(codeOf(writeContainer(result, [{ run: 0, timeline: notANumber }]))).toBe("CONTAINER_INVALID");
  });

  it("refuses times in which nanoseconds cannot be told apart", () => {
    const codeWith = (change: (timeline: Timeline) => void) => {
      const timeline = structuredClone(first(timelines));
      change(timeline);
      return codeOf(writeContainer(result, [{ run: 0, timeline }]));
    };
    const last = first(timelines).events.startNs.length - 1;
    expect(codeWith(({ events }) => events.durationNs.fill(2 ** 53, last))).toBe("ok");
    for (const tooLarge of [2 ** 53 + 2, 1e79, Number.MAX_VALUE]) {
      expect(codeWith(({ events }) => events.durationNs.fill(tooLarge, last))).toBe("CONTAINER_INVALID");
      expect(codeWith(({ events }) => events.startNs.fill(tooLarge, last))).toBe("CONTAINER_INVALID");
      expect(codeWith(({ events }) => events.startNs.fill(-tooLarge, 0, 1))).toBe("CONTAINER_INVALID");
    }
    const span = (endNs: number) =>
      codeAfter((header) => Object.assign(first(first(header.timelines).spans), { startNs: 0, endNs }));
    expect([span(1e6), span(1e79)]).toEqual(["ok", "CONTAINER_INVALID"]);
  });

  it("never throws, whichever bytes are flipped", () => {
    const bytes = sampleContainer(2);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const changed = bytes.slice();
        changed[at] = value;
        const outcome = readContainer(changed);
        expect(outcome.ok || outcome.problem.code.startsWith("CONTAINER_")).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
