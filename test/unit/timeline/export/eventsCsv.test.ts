import { describe, expect, it } from "vitest";
import { eventsCsv } from "../../../../src/core/timeline/export/eventsCsv.js";
import { timelineOf } from "../columnSamples.js";

describe("eventsCsv", () => {
  it("writes listed events, quoted and without formulas", () => {
    const timeline = timelineOf([
      { lane: 0, startNs: 0, durationNs: 5, name: 'say "a, b"', layer: 2 },
      { lane: 1, startNs: 7, durationNs: 3, name: "=HYPERLINK(1)", bytes: 64 },
    ]);
    expect([...eventsCsv(timeline, [1, 0])].join("")).toBe(
      [
        "start_ns,duration_ns,role,stream,device,kind,layer,bytes,correlation,name",
        "7,3,d2h,offload,,copyD2H,,64,0,'=HYPERLINK(1)",
        '0,5,compute,compute,,kernel,2,0,0,"say ""a, b"""',
        "",
      ].join("\n"),
    );
  });
});
