import { describe, expect, it } from "vitest";
import { fail, succeed } from "../../../src/core/base/outcome.js";
import { fromEngine } from "../../../src/core/profile/fromEngine.js";

const problem = { code: "X", message: "m", nextStep: "n" };
const attempts = [{ path: "p", reason: "r" }];

describe("what a shell takes from a process that holds the engine", () => {
  it.each([
    ["progress", { phase: "save", fraction: 1, message: "" }],
    ["answer", succeed({ resultJson: "{}" })],
    ["answer", succeed({ resultJson: "{}", saveProblem: problem })],
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
    ["answer", { ok: true, value: "{}" }],
    ["answer", { ok: true, value: { resultJson: 7 } }],
    ["answer", { ok: true, value: { resultJson: "{}", saveProblem: { code: "X" } } }],
    ["answer", { ok: true, value: { resultJson: "{}", saveProblem: null } }],
    ["answer", { ok: "true", value: { resultJson: "{}" } }],
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
