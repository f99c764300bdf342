import { describe, expect, it } from "vitest";
import { stepWorkload, workloadText } from "../../../src/core/base/stepWorkload.js";
import type { OffloadSettings } from "../../../src/core/config/document/offloadSettings.js";
import { effectRequest } from "../../../src/core/effect/effectRequest.js";
import { effectTooltip } from "../../../src/core/effect/effectText.js";
import { estimateSelection } from "../../../src/core/modules/estimate/estimate.js";
import { defaultWorkload } from "../../../src/core/modules/estimate/estimateWorkload.js";
import { catalogueConfig } from "../../../src/core/modules/families/catalogue.js";
import { selectModules } from "../../../src/core/modules/selection/select.js";
import { configTree } from "../../../src/core/modules/source/configTree.js";
import { describeSelection } from "../../../src/core/modules/view/describe.js";
import { resolveSettings } from "../../../src/core/profile/offloadChoice.js";
import { jobStep } from "../../../src/core/workload/jobStep.js";
import { figures } from "../effect/figures.js";

const block: OffloadSettings = {
  blockPath: "b",
  blockSpan: { start: 0, end: 0 },
  enabled: true,
  patterns: ["model.layers.{*}"],
  microBatch: 4,
};

describe("stepWorkload", () => {
  it("takes settings first, then the config, then the defaults, and says which", () => {
    const given = stepWorkload({ seqLen: 8192 }, { microBatch: 4 });
    expect(given).toEqual({
      seqLen: { value: 8192, source: "setting" },
      microBatch: { value: 4, source: "config" },
      layers: { value: undefined, source: "default" },
    });
    expect(stepWorkload({ microBatch: 2 }, { microBatch: 4 }).microBatch).toEqual({ value: 2, source: "setting" });
    expect(stepWorkload({}).seqLen.value).toBe(2048);
  });

  it.each([0, -1, 1.5, "8", null, Number.NaN])("takes %j for absent", (value) => {
    expect(stepWorkload({ seqLen: value, microBatch: value, layers: value })).toEqual(stepWorkload({}));
  });

  it("is one line", () => {
    expect(workloadText({ seqLen: 2048, microBatch: 1 })).toBe("2,048 tokens × 1 sequence");
    expect(workloadText({ seqLen: 512, microBatch: 2, layers: 4 })).toBe("512 tokens × 2 sequences, first 4 layers");
    expect(workloadText({ seqLen: 512, microBatch: 2, layers: 1 })).toBe("512 tokens × 2 sequences, first layer only");
  });
});

describe("one workload for lens, hints, Modules view and profile of a block", () => {
  const workload = jobStep({ seqLen: 4096, layers: 6 }, block);
  const tree = configTree(catalogueConfig("Qwen/Qwen3-8B"));
  if (!tree.ok) throw new Error(tree.problem.code);
  const estimated = { ...defaultWorkload, seqLen: 4096, microBatch: workload.microBatch.value, layers: 6 };
  const selected = selectModules(tree.value, ["model.layers.{*}"]);

  it("asks the simulator for what the footer and the tooltip name, and profiles the same", () => {
    const asked = effectRequest("{}", block, workload, "sim:H200");
    expect(asked?.ok && asked.value.request).toMatchObject({ seqLens: [4096], microBatch: 4, layers: 6 });
    const footer = describeSelection(tree.value, selected, estimated, 1, {
      fileName: "c.yaml",
      settings: block,
      blocks: ["b"],
    });
    expect(footer.config?.workload).toBe("4,096 tokens × 4 sequences, first 6 layers, checkpointing on");
    expect(effectTooltip(figures({ step: workload }))).toContain(
      "4,096 tokens × 4 sequences, first 6 layers, one GPU.",
    );
    const profile = resolveSettings({ seqLens: [4096], layers: 6 }, [block]);
    expect(profile.ok && profile.value.settings).toMatchObject({ seqLens: [4096], microBatch: 4, layers: 6 });
    expect(resolveSettings({ microBatch: 1 }, [block])).toMatchObject({ value: { settings: { microBatch: 1 } } });
  });

  it("counts as many layers as the engine runs: the last of them stays", () => {
    const effects = estimateSelection(selected, tree.value, estimated);
    expect(effects.totals.freedAfterForward.bytes).toBe(5 * 4 * 4096 * 4096 * 2);
    expect(effects.totals.firstStep).toMatchObject({ allocations: 5 });
    expect(effects.modules.map(({ effect }) => effect)).toEqual([
      ...Array.from({ length: 5 }, () => "moves"),
      "stays",
      ...Array.from({ length: 30 }, () => "nothing"),
    ]);
    expect(estimateSelection(selected, tree.value, { ...estimated, layers: 100 }).totals.firstStep?.allocations).toBe(
      35,
    );
  });
});
