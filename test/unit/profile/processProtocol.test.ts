import { describe, expect, it } from "vitest";
import { profilerRequest, simulatorRequest } from "../../../src/core/profile/processProtocol.js";

describe("what the processes take from a shell", () => {
  it.each([
    { kind: "run", request: { configJson: "{}", steps: 2 } },
    { kind: "link", device: "auto" },
    { kind: "link", device: "auto", calibrate: true },
  ])("is %j for the profiler", (request) => {
    expect(profilerRequest.safeParse(request)).toEqual({ success: true, data: request });
  });

  it.each([undefined, {}, { kind: "run" }, { kind: "run", request: {} }, { kind: "link" }, { kind: "stop" }])(
    "is not %j",
    (request) => {
      expect(profilerRequest.safeParse(request).success).toBe(false);
    },
  );

  it("is for simulated devices only where it is the simulator", () => {
    const request = { kind: "run", request: { configJson: "{}", device: "sim:H200", steps: 2 } };
    expect(simulatorRequest.safeParse(request)).toEqual({ success: true, data: request });
    for (const device of ["cpu", "cuda", "auto", undefined])
      expect(simulatorRequest.safeParse({ kind: "run", request: { configJson: "{}", device } }).success).toBe(false);
    for (const other of [null, [], "run", { kind: "link", device: "sim:H200" }])
      expect(simulatorRequest.safeParse(other).success).toBe(false);
  });
});
