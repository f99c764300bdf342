import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DEVICE_CHOICES, isDeviceName } from "../../../src/core/profile/deviceChoices.js";

describe("device choices", () => {
  it("are names that the command line takes", () => {
    for (const { device } of DEVICE_CHOICES) expect(isDeviceName(device)).toBe(true);
    expect(["", "gpu", "sim:", "CPU"].filter(isDeviceName)).toEqual([]);
  });

  it("offer the simulated devices that the engine is built with, named without spaces", () => {
    const simulated = DEVICE_CHOICES.map(({ device }) => device).filter((name) => name.startsWith("sim:"));
    const folder = "native/sim/profiles";
    const names = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")).name);
    expect([...simulated].sort()).toEqual(names.map((name) => `sim:${name.replaceAll(" ", "")}`).sort());
    expect(simulated).toContain("sim:RTX4090");
  });
});

describe("a GPU with a profile more", () => {
  afterEach(() => {
    vi.doUnmock("../../../src/core/profile/simulatedGpus.json");
    vi.resetModules();
  });

  it("is offered by the picker and named by the help of a sweep", async () => {
    vi.resetModules();
    vi.doMock("../../../src/core/profile/simulatedGpus.json", () => ({ default: ["H200", "GB 999"] }));
    const { DEVICE_CHOICES: choices } = await import("../../../src/core/profile/deviceChoices.js");
    expect(choices.at(-1)).toMatchObject({ device: "sim:GB999", label: "Simulated GB999" });
    const { helpOf } = await import("../../../src/core/base/flagHelp.js");
    const { sweepTable } = await import("../../../src/core/sweep/sweepArguments.js");
    expect(helpOf("offload-lens", sweepTable)).toContain("sim:GB999");
  });
});
