import { describe, expect, it } from "vitest";
import { opModelHelp } from "../../../src/core/profile/opModels.js";
import { profileTable } from "../../../src/core/profile/profileArguments.js";
import { sweepTable } from "../../../src/core/sweep/sweepArguments.js";

describe("the help of --op-model", () => {
  it("names every set that the engine has, those that kernels compute first", () => {
    const known = { "hf-eager": { isComputable: true }, fused: { isComputable: false }, mine: { isComputable: false } };
    expect(opModelHelp(false, known)).toBe(
      "which tensors a layer saves: hf-eager, or on a simulated device fused, mine (default that of the model's family)",
    );
    expect(opModelHelp(true, known)).toContain(": hf-eager, fused, mine (");
  });

  it("stands in both commands", () => {
    expect(JSON.stringify(profileTable.flags)).toContain(opModelHelp(false));
    expect(JSON.stringify(sweepTable.flags)).toContain(opModelHelp(true));
  });
});
