import { describe, expect, it } from "vitest";
import { familyAt, judgeKernel, kernelFinding } from "../../../../src/core/config/rules/modelKernels.js";
import { plainFile } from "./plainFile.js";

function familyOfPath(path: string, models?: Parameters<typeof familyAt>[1]) {
  const { written } = plainFile(`path: ${path}\n`, {});
  return familyAt(written[0]?.entry.value, models);
}

const attention = { selector: "attn_implementation", value: "flash_attention_2", isDefault: false, packed: false };

describe("familyAt", () => {
  it("goes by the name at the end of a path, and by what is known of the model first", () => {
    expect(familyOfPath("/models/DeepSeek-V4-Flash")).toMatchObject({ by: "name" });
    const models = new Map([["./mine", { modelType: "deepseek_v4", headDim: 512 }]]);
    expect(familyOfPath("./mine", models)?.by).not.toBe("name");
    expect(familyOfPath("./mine")).toBeUndefined();
    expect(familyAt(undefined, undefined)).toBeUndefined();
  });
});

describe("judgeKernel and kernelFinding", () => {
  const family = familyOfPath("/models/DeepSeek-V4-Flash");
  if (family === undefined) throw new Error("no family");

  it("knows what a family does not run, written and at its default", () => {
    expect(judgeKernel(family, attention)?.message).toMatch(/^attn_implementation flash_attention_2: DeepSeek-V4/);
    expect(judgeKernel(family, { ...attention, isDefault: true })?.message).toMatch(/ by default: DeepSeek-V4/);
    expect(judgeKernel(family, { ...attention, value: "eager" })).toBeUndefined();
  });

  it("says that a name may say anything, and offers what runs", () => {
    const judged = judgeKernel(family, attention);
    const offered: string[] = [];
    const [finding] = kernelFinding(family, { start: 0, end: 1 }, judged === undefined ? [] : [judged], (_, better) => {
      offered.push(better);
      return [];
    });
    expect(finding?.severity).toBe("warning");
    expect(finding?.message).toContain("known by the name of the model only");
    expect(offered).toEqual(["eager"]);
    expect(kernelFinding(family, { start: 0, end: 1 }, [], () => [])).toEqual([]);
  });
});
