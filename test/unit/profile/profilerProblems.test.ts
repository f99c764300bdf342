import { describe, expect, it } from "vitest";
import { cancelledProblem, exitProblem, suspectDriver } from "../../../src/core/profile/profilerProblems.js";

describe("suspectDriver", () => {
  const crash = exitProblem({ code: null, signal: "SIGSEGV" });
  const env = { OFFLOAD_LENS_LIBCUDA: "/opt/mine.so" };

  it("names the library that was set as the likely cause of a crash", () => {
    for (const device of [undefined, "auto", "cuda"]) {
      const problem = suspectDriver(crash, env, device);
      expect(problem).toMatchObject({ code: "PROFILER_CRASHED", message: crash.message });
      expect(problem.cause).toMatch(/^It ended with SIGSEGV\. The likely.* the variable OFFLOAD_LENS_LIBCUDA names\.$/);
      expect(problem.nextStep).toMatch(/^Unset OFFLOAD_LENS_LIBCUDA/);
    }
  });

  it("suspects nothing where nothing is set, no driver is loaded or nothing crashed", () => {
    expect(suspectDriver(crash, {}, "cuda")).toBe(crash);
    expect(suspectDriver(crash, { OFFLOAD_LENS_LIBCUDA: "" }, "cuda")).toBe(crash);
    for (const device of ["cpu", "sim:H200"]) expect(suspectDriver(crash, env, device)).toBe(crash);
    const cancelled = cancelledProblem();
    expect(suspectDriver(cancelled, env, "cuda")).toBe(cancelled);
  });
});
