import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inTime } from "../../../src/extension/inTime.js";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

it("gives an answer that comes in time, also one of nothing, and leaves no timer", async () => {
  expect(await inTime(Promise.resolve(7), 10)).toEqual({ value: 7 });
  expect(await inTime(Promise.resolve(undefined), 10)).toEqual({ value: undefined });
  expect(vi.getTimerCount()).toBe(0);
});

it("gives up after the wait", async () => {
  const waiting = inTime(new Promise(() => undefined), 10);
  await vi.advanceTimersByTimeAsync(10);
  expect(await waiting).toBeUndefined();
});

it("rejects when the answer does, and leaves no timer", async () => {
  await expect(inTime(Promise.reject(new Error("no")), 10)).rejects.toThrow("no");
  expect(vi.getTimerCount()).toBe(0);
});
