import { describe, expect, it } from "vitest";
import { readFromProfiler, readToProfiler } from "../../../src/core/profile/processProtocol.js";

const problem = { code: "X", message: "m", nextStep: "n" };

describe("readFromProfiler", () => {
  it.each([
    { kind: "progress", progress: { phase: "save", fraction: 1, message: "" } },
    { kind: "finished", resultJson: "{}" },
    { kind: "finished", resultJson: "{}", saveProblem: problem },
    { kind: "failed", problem },
    { kind: "failed", problem: { ...problem, cause: "c" } },
    { kind: "loadFailed", platform: "linux-x64", attempts: [{ path: "p", reason: "r" }] },
  ])("reads %j", (message) => {
    expect(readFromProfiler(message)).toEqual(message);
  });

  it.each([
    null,
    7,
    "finished",
    [],
    {},
    { kind: "run" },
    { kind: "finished", resultJson: 7 },
    { kind: "finished", resultJson: "{}", saveProblem: { code: "X" } },
    { kind: "finished", resultJson: "{}", saveProblem: null },
    { kind: "failed", problem: { code: "X" } },
    { kind: "failed", problem: { ...problem, cause: 1 } },
    { kind: "progress", progress: { phase: "run", fraction: 1.5, message: "" } },
    { kind: "progress", progress: { phase: "walk", fraction: 0, message: "" } },
    { kind: "progress", progress: { phase: "run", fraction: Number.NaN, message: "" } },
    { kind: "loadFailed", platform: "linux-x64", attempts: [{ path: "p" }] },
    { kind: "loadFailed", platform: "linux-x64" },
  ])("refuses %j", (message) => {
    expect(readFromProfiler(message)).toBeUndefined();
  });
});

describe("readToProfiler", () => {
  it.each([{ kind: "cancel" }, { kind: "run", request: { configJson: "{}" } }, { kind: "link", device: "auto" }])(
    "reads %j",
    (message) => {
      expect(readToProfiler(message)).toEqual(message);
    },
  );

  it.each([undefined, {}, { kind: "run" }, { kind: "run", request: {} }, { kind: "stop" }])("refuses %j", (message) => {
    expect(readToProfiler(message)).toBeUndefined();
  });
});
