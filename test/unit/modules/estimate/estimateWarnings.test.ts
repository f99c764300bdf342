import { describe, expect, it } from "vitest";
import { estimateWarnings } from "../../../../src/core/modules/estimate/estimateWarnings.js";
import { defaultWorkload } from "../../../../src/core/modules/estimate/estimateWorkload.js";
import { recordedTree } from "../recordedTrees.js";

const { tree } = recordedTree("qwen3");

describe("estimateWarnings", () => {
  it("is silent without modules and within the limit", () => {
    expect(estimateWarnings([], tree, defaultWorkload, { buffers: [], cacheLimitBytes: 0 })).toEqual([]);
    expect(estimateWarnings([], tree, defaultWorkload, { buffers: null, cacheLimitBytes: 0 })).toEqual([]);
  });

  it("compares the need with the limit", () => {
    const [warning] = estimateWarnings([], tree, defaultWorkload, { buffers: [5, 6], cacheLimitBytes: 10 });
    expect(warning?.code).toBe("CACHE_LIMIT_BELOW_NEED");
  });
});
