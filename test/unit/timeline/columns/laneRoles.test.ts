import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { buildEventRows } from "../../../../src/core/timeline/columns/eventRows.js";
import type { LaneRole } from "../../../../src/core/timeline/columns/laneRoles.js";
import { laneTraits, ROLE_NAMES, ROLE_ORDER } from "../../../../src/core/timeline/columns/laneWork.js";
import { storedTimelineSchema } from "../../../../src/core/timeline/container/containerSchema.js";
import { measureTimeline } from "../../../../src/core/timeline/metrics/metrics.js";
import { compareTimelines } from "../../../../src/core/timeline/query/compare.js";
import { indexTimeline } from "../../../../src/core/timeline/query/indexedTimeline.js";
import { exposureOfLanes } from "../../../../src/core/timeline/query/laneExposure.js";
import { MARKS, meaningOf } from "../../../../src/webview/timeline/theme.js";

/** A lane that a newcomer adds: a kind of event, one line of the table, and nothing else. */
const PEER = 15;
const peer = "peer" as LaneRole;

vi.mock("../../../../src/core/timeline/columns/eventKind.js", async (original) => {
  const real = await original<typeof import("../../../../src/core/timeline/columns/eventKind.js")>();
  return { ...real, EventKind: { ...real.EventKind, peer: 15 } };
});

vi.mock("../../../../src/core/timeline/columns/laneRoles.js", async (original) => {
  const { LANES } = await original<typeof import("../../../../src/core/timeline/columns/laneRoles.js")>();
  const added = {
    role: "peer",
    name: "Peer copies",
    counts: "copy",
    isCovered: true,
    shownEmpty: null,
    events: [{ kind: 15, colour: "yellow", pattern: "rising", meaning: "copy to a peer" }],
  };
  return { LANES: [...LANES.slice(0, 3), added, ...LANES.slice(3)] };
});

const lanes = [
  { role: "host", stream: "host" },
  { role: peer, stream: "9" },
  { role: "compute", stream: "7" },
] as const;

/** A kernel of 100 ns, and a copy to a peer of 60 ns of which the kernel covers 20. */
const timeline = {
  lanes,
  strings: ["work"],
  events: {
    startNs: Float64Array.of(0, 80),
    durationNs: Float64Array.of(100, 60),
    lane: Uint32Array.of(2, 1),
    name: Uint32Array.of(0, 0),
    layer: Int32Array.of(-1, -1),
    bytes: Float64Array.of(0, 4096),
    kind: Uint8Array.of(0, PEER),
    dependsOn: Int32Array.of(-1, -1),
  },
  memory: [],
  spans: [],
};

describe("a lane that was added to the table", () => {
  it("has its place in the order and its name", () => {
    expect(ROLE_ORDER.indexOf(peer)).toBe(3);
    expect(ROLE_NAMES[peer]).toBe("Peer copies");
    expect(buildEventRows(lanes, timeline.events).map(({ role }) => role)).toEqual(["compute", "peer"]);
  });

  it("is measured by what compute covers of it, and counts as a copy", () => {
    const { metrics, compute } = measureTimeline(timeline);
    const own = (metrics as unknown as Record<string, unknown>).peer;
    expect(own).toMatchObject({ count: 1, bytes: 4096, busyNs: 60, hiddenNs: 20, exposedNs: 40 });
    expect(metrics.copiesAny).toMatchObject({ count: 1, bytes: 4096, exposedNs: 40 });
    expect(metrics.spanNs).toBe(140);
    expect(exposureOfLanes(timeline, () => compute)[1]?.exposedNs).toBe(40);
  });

  it("is compared between two timelines under its name", () => {
    const indexed = indexTimeline(timeline);
    const { lanes: compared } = compareTimelines(indexed, indexed, { a: "a", b: "b" });
    expect(compared.find(({ label }) => label === "Peer copies")).toMatchObject({ a: 60, b: 60 });
  });

  it("has a mark of its own on the page", () => {
    expect(meaningOf(PEER)).toBe("copy to a peer");
    expect(MARKS.find(({ meaning }) => meaning === "copy to a peer")).toMatchObject({
      colour: "yellow",
      pattern: "rising",
    });
  });

  it("may be written into saved profiles by the native recorder, and no other name may", () => {
    const role = storedTimelineSchema.safeParse({ lanes: [{ role: "peer", stream: "9" }] });
    const unknown = storedTimelineSchema.safeParse({ lanes: [{ role: "pear", stream: "9" }] });
    const paths = ({ error }: typeof role) => error?.issues.map(({ path }) => path.join("."));
    expect(paths(role)).not.toContain("lanes.0.role");
    expect(paths(unknown)).toContain("lanes.0.role");
  });
});

describe("the table of lanes", () => {
  it("knows every role that the native recorder writes", () => {
    const writer = readFileSync("native/engine/profile/container_writer.cc", "utf8");
    const written = [...writer.matchAll(/"role", "(\w+)"/g)].map(([, role]) => role ?? "");
    expect(written.length).toBeGreaterThan(4);
    for (const role of written) expect(ROLE_ORDER).toContain(role);
  });

  it("gives every kind of event to one lane at most", () => {
    const kinds = ROLE_ORDER.flatMap((role) => laneTraits(role).events.map(({ kind }) => kind));
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  it("has a style for every colour and pattern of a mark", () => {
    const css = readFileSync("src/webview/timeline/styles/overlays.css", "utf8");
    for (const { colour, pattern } of MARKS) {
      expect(css).toContain(`.mark.in-${colour} {`);
      expect(css).toContain(`.mark.is-${pattern} {`);
    }
  });
});
