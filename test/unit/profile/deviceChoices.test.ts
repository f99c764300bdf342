import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEVICE_CHOICES, isDeviceName } from "../../../src/core/profile/deviceChoices.js";

describe("device choices", () => {
  it("are names that the command line takes", () => {
    for (const { device } of DEVICE_CHOICES) expect(isDeviceName(device)).toBe(true);
    expect(["", "gpu", "sim:", "CPU"].filter(isDeviceName)).toEqual([]);
  });

  it("offer every simulated device that the engine is built with", () => {
    const folder = new URL("../../../native/sim/profiles/", import.meta.url);
    const built = readdirSync(folder).map((file) => `sim:${file.replace(".json", "")}`);
    const offered = DEVICE_CHOICES.map(({ device }) => device.toLowerCase()).filter((name) => name.startsWith("sim:"));
    expect(offered.sort()).toEqual(built.sort());
  });
});
