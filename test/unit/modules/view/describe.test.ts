import { describe, expect, it } from "vitest";
import { defaultWorkload } from "../../../../src/core/modules/estimate/estimateWorkload.js";
import { selectModules } from "../../../../src/core/modules/selection/select.js";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";
import { describeModel, describeSelection } from "../../../../src/core/modules/view/describe.js";
import { ModuleMark } from "../../../../src/core/modules/view/moduleMarks.js";
import { recordedTree } from "../recordedTrees.js";

const { tree } = recordedTree("qwen3");
const hiddenSize = 4096;

function selection(patterns: readonly string[]) {
  return describeSelection(tree, selectModules(tree, patterns), defaultWorkload, 5, undefined);
}

describe("describeModel", () => {
  it("lists names, classes and containers by row", () => {
    const message = describeModel(tree, "/models/qwen3/", 5);
    expect(message.title).toBe("Qwen3ForCausalLM");
    expect(message.source).toBe("tree file");
    const layers = message.names.indexOf("model.layers");
    expect(message.containers).toContain(layers);
    expect(message.typeNames[message.types[layers + 1] ?? -1]).toBe("Qwen3DecoderLayer");
  });

  it("tells warnings from what is uncertain", () => {
    const faulty = { ...tree, uncertain: ["config.json is missing.", "Names may differ."] };
    const message = describeModel({ ...faulty, warnings: ["config.json is missing."] }, "/m", 1);
    expect(message.warnings).toEqual(["config.json is missing."]);
    expect(message.uncertain).toEqual(["Names may differ."]);
    expect(describeModel(faulty, "/m", 1)).toMatchObject({ warnings: [], uncertain: faulty.uncertain });
  });

  it("takes the last part of the path for a model without a name", () => {
    const { architecture: _, modelType: __, ...nameless } = tree;
    expect(describeModel(nameless, "/models/mine/", 1).title).toBe("mine");
  });
});

describe("describeSelection", () => {
  it("says in the automatic mode alone that another class has another list", () => {
    const noted: ModuleTree = { ...tree, noSplitNote: "VeOmni sets another list." };
    const warningsOf = (patterns: readonly string[]) =>
      describeSelection(noted, selectModules(noted, patterns), defaultWorkload, 5, undefined).warnings;
    expect(warningsOf([])).toContainEqual({ code: "NO_SPLIT_DIFFERS", message: "VeOmni sets another list." });
    expect(warningsOf(["model.layers.{*}"])).toEqual([]);
  });

  it("gives each instance its index, mark and bytes", () => {
    const message = selection(["model.layers.{*}"]);
    expect(message.rows).toHaveLength(32);
    expect(message.rows.map((row) => tree.modules[row]?.name).at(-1)).toBe("model.layers.31");
    expect(message.indices).toEqual(Array.from({ length: 32 }, (_, at) => at));
    expect(message.marks.filter((mark) => mark === ModuleMark.moves)).toHaveLength(31);
    expect(message.marks.at(-1)).toBe(ModuleMark.stays);
    expect(tree.dimensions?.hiddenSize).toBe(hiddenSize);
    expect(message.bytes[0]).toBe(defaultWorkload.seqLen * hiddenSize * 2);
    expect(message.freed.text).toBe("496\u00a0MiB");
    expect(message.freed.arithmetic).toContain("31 × 1 × 2048 × 4096 × 2 B");
    expect(message.reasonTexts[message.reasons[0] ?? -1]).toBe("the checkpoint saves the layer's input");
  });

  it("warns of a dead pattern beside a live one", () => {
    const { warnings, error } = selection(["model.layers.{*}", "model.layer.*"]);
    expect(error).toBeNull();
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: "NO_MATCH", message: expect.stringContaining('"model.layer.*": No module') }),
    );
  });

  it("says what the framework would raise", () => {
    expect(selection(["nothing"]).error).toMatch(/^ValueError: no module matches/);
  });

  it("sums up the configuration", () => {
    const settings = {
      blockPath: "actor_rollout_ref.actor.veomni",
      blockSpan: { start: 0, end: 0 },
      enabled: true,
      patterns: [],
    };
    const config = { fileName: "veomni.yaml", settings, blocks: [settings.blockPath] };
    const result = selectModules(tree, []);
    expect(describeSelection(tree, result, { ...defaultWorkload, microBatch: 2 }, 5, config).config).toEqual({
      fileName: "veomni.yaml",
      blockPath: settings.blockPath,
      blocks: [settings.blockPath],
      isOn: true,
      isAutomatic: true,
      workload: "2,048 tokens × 2 sequences, checkpointing on",
    });
  });
});
