import { expect, test } from "vitest";
import { readFromSimulator, readToSimulator } from "../../../src/core/profile/simulatorProtocol.js";

test("the process takes requests for simulated devices only", () => {
  const message = { kind: "simulate", id: 3, request: { configJson: "{}", device: "sim:H200", steps: 2 } };
  expect(readToSimulator(message)).toEqual(message);
  for (const device of ["cpu", "cuda", "auto", undefined]) {
    expect(readToSimulator({ ...message, request: { configJson: "{}", device } })).toBeUndefined();
  }
  for (const other of [null, [], "simulate", { ...message, id: "3" }, { ...message, kind: "run" }]) {
    expect(readToSimulator(other)).toBeUndefined();
  }
});

test("the shell takes answers with every member", () => {
  const problem = { code: "C", message: "m", nextStep: "n" };
  for (const message of [
    { kind: "simulated", id: 1, resultJson: "{}" },
    { kind: "refused", id: 1, problem },
    { kind: "loadFailed", platform: "linux-x64", attempts: [{ path: "/p", reason: "r" }] },
  ]) {
    expect(readFromSimulator(message)).toEqual(message);
    expect(readFromSimulator({ ...message, kind: "other" })).toBeUndefined();
  }
  expect(readFromSimulator({ kind: "loadFailed", platform: "linux-x64", attempts: [{ path: 1 }] })).toBeUndefined();
  expect(readFromSimulator({ kind: "refused", id: 1, problem: {} })).toBeUndefined();
});
