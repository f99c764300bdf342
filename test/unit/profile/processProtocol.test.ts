import { describe, expect, it } from "vitest";
import { fail, succeed } from "../../../src/core/base/outcome.js";
import { fromEngine, profilerRequest, simulatorRequest } from "../../../src/core/profile/processProtocol.js";

const problem = { code: "X", message: "m", nextStep: "n" };
const attempts = [{ path: "p", reason: "r" }];

describe("what a shell takes from a process that holds the engine", () => {
  it.each([
    ["progress", { phase: "save", fraction: 1, message: "" }],
    ["answer", succeed("{}")],
    ["answer", fail(problem)],
    ["answer", fail({ ...problem, cause: "c" })],
    ["announced", { platform: "linux-x64", attempts }],
  ] as const)("is %s %j", (what, body) => {
    expect(fromEngine[what].safeParse(body)).toEqual({ success: true, data: body });
  });

  it.each([
    ["answer", null],
    ["answer", "{}"],
    ["answer", []],
    ["answer", { ok: true }],
    ["answer", { ok: true, value: 7 }],
    ["answer", { ok: "true", value: "{}" }],
    ["answer", { ok: false, problem: { code: "X" } }],
    ["answer", { ok: false, problem: { ...problem, cause: 1 } }],
    ["progress", undefined],
    ["progress", { phase: "run", fraction: 1.5, message: "" }],
    ["progress", { phase: "walk", fraction: 0, message: "" }],
    ["progress", { phase: "run", fraction: Number.NaN, message: "" }],
    ["progress", { phase: "run", fraction: 0.5 }],
    ["announced", { platform: "linux-x64", attempts: [{ path: "p" }] }],
    ["announced", { platform: "linux-x64" }],
    ["announced", { platform: 1, attempts }],
  ] as const)("is no %s: %j", (what, body) => {
    expect(fromEngine[what].safeParse(body).success).toBe(false);
  });
});

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
