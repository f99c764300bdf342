import { describe, expect, it } from "vitest";
import { estimateSelection } from "../../../../src/core/modules/estimate/estimate.js";
import { defaultWorkload, type EstimateWorkload } from "../../../../src/core/modules/estimate/estimateWorkload.js";
import { catalogueConfig } from "../../../../src/core/modules/families/catalogue.js";
import { selectModules } from "../../../../src/core/modules/selection/select.js";
import { configTree } from "../../../../src/core/modules/source/configTree.js";
import type { ModuleTree } from "../../../../src/core/modules/tree.js";
import { recordedTree } from "../recordedTrees.js";

function catalogueTree(id: string): ModuleTree {
  const tree = configTree(catalogueConfig(id));
  if (!tree.ok) throw new Error(tree.problem.code);
  return tree.value;
}

const small = catalogueTree("Qwen/Qwen3-0.6B");
const large = catalogueTree("Qwen/Qwen3-8B");

function effects(tree: ModuleTree, patterns: readonly string[], workload: Partial<EstimateWorkload> = {}) {
  return estimateSelection(selectModules(tree, patterns), tree, { ...defaultWorkload, ...workload });
}
const codes = (found: ReturnType<typeof effects>) => found.warnings.map(({ code }) => code);

describe("estimateSelection with gradient checkpointing", () => {
  it("moves every layer's input but the last's, as measured", () => {
    const found = effects(large, ["model.layers.{*}"], { seqLen: 8192 });
    // 19,206,518,784 − 16,857,708,544 bytes after forward in the recorded runs, within a block of the allocator each.
    expect(found.totals.freedAfterForward.bytes).toBe(35 * 8192 * 4096 * 2);
    expect(Math.abs(35 * 8192 * 4096 * 2 - (19_206_518_784 - 16_857_708_544))).toBeLessThan(1024);
    expect(found.totals.freedAfterForward.arithmetic).toContain("35 × 1 × 8192 × 4096 × 2 B");
    expect(found.totals.firstStep).toMatchObject({ allocations: 35, reuses: 0 });
    expect(found.totals.laterSteps).toMatchObject({ allocations: 0, reuses: 35 });
    expect(found.modules.at(-1)).toMatchObject({ effect: "stays", bytes: 0 });
    expect(codes(found)).toEqual([]);
  });

  it("warns of what a pattern inside the layers costs, to the byte of the measured run", () => {
    const found = effects(small, ["model.layers.*.mlp"], { seqLen: 16_384 });
    expect(codes(found)[0]).toBe("INSIDE_CHECKPOINTED_LAYER");
    // 15,523,070,976 − 4,181,672,960 bytes after forward = 10.6 GiB.
    expect(found.warnings[0]?.message.replaceAll("\u00a0", " ")).toContain("about 10.6 GiB more");
    expect(found.totals.firstStep).toMatchObject({ allocations: 54 });
    expect(found.totals.freedAfterForward.bytes).toBe(0);
    expect(codes(found)).toContain("COPIED_SEVERAL_TIMES");
  });

  it("counts a module listed twice once", () => {
    const found = effects(small, ["model.layers.*", "model.layers.{*}"], { seqLen: 16_384 });
    expect(found.modules).toHaveLength(28);
    expect(found.totals.firstStep).toMatchObject({ allocations: 27 });
  });

  it("says when the limit is below the need, with the counters of the recorded run", () => {
    const found = effects(small, ["model.layers.{*}"], { seqLen: 16_384, cacheLimitGb: 0.25 });
    expect(found.totals.laterSteps).toMatchObject({ allocations: 19, reuses: 8, evictions: 19, drops: 0 });
    expect(codes(found)).toEqual(["CACHE_LIMIT_BELOW_NEED"]);
    expect(effects(small, ["model.layers.{*}"], { seqLen: 17_000 }).totals.pinnedBlocks.bytes).toBe(1_811_939_328);
  });

  it("warns of the model itself, of bodies, and of a last index that runs earlier", () => {
    expect(codes(effects(small, ["*"]))).toContain("TAKES_EVERY_TENSOR");
    expect(codes(effects(small, ["model"]))).toContain("TAKES_EVERY_TENSOR");
    expect(effects(small, ["model", "lm_head"]).totals.freedAfterForward.bytes).toBeNull();
    expect(codes(effects(small, ["model.layers.{*}", "model.embed_tokens"]))).toContain("LAST_INDEX_RUNS_EARLIER");
  });

  it("does not count copies of what recomputing runs a second time", () => {
    const found = effects(small, ["model.layers.*.self_attn"]);
    expect(found.totals.firstStep).toBeNull();
    expect(codes(found)).toContain("COPIED_AGAIN");
    expect(codes(effects(small, ["model.layers.*.mlp"]))).not.toContain("COPIED_AGAIN");
  });

  it("does not take the head for a module that runs last, since the loss takes its weight", () => {
    const found = effects(small, ["model.layers.{*}", "lm_head"]);
    expect(found.totals.freedAfterForward.bytes).toBe(27 * 2048 * 1024 * 2);
  });

  it("does not free what runs last unless it has the last index", () => {
    const mixed = effects(small, ["model.layers.{*}", "model.embed_tokens"]);
    expect(mixed.totals.freedAfterForward.bytes).toBe(27 * 2048 * 1024 * 2);
    expect(mixed.totals.firstStep).toMatchObject({ allocations: 28 });
    const reversed = effects(small, ["model.layers.3", "model.layers.1"]).totals.freedAfterForward;
    expect(reversed.bytes).toBe(0);
    expect(reversed.arithmetic).toContain("runs last");
  });

  it("says when one selected module lies inside another", () => {
    expect(codes(effects(small, ["model.layers.*", "model.layers.*.mlp"]))).toContain("NESTED_SELECTION");
  });

  it("does not guess how many patches an image has", () => {
    const found = effects(recordedTree("qwen2_vl").tree, []);
    expect(found.modules[0]).toMatchObject({ effect: "moves", bytes: null });
    expect(codes(found)).toContain("TOKENS_DEPEND_ON_DATA");
    expect(found.totals.firstStep).toBeNull();
  });

  it("knows blocks that are checkpointed from outside", () => {
    const names = ["", "blocks", "blocks.0", "blocks.0.attn1", "blocks.1", "blocks.1.attn1"];
    const wan: ModuleTree = {
      source: "tree-file",
      exact: true,
      uncertain: [],
      architecture: "WanTransformer3DModel",
      modules: names.map((name) => ({ name })),
      containers: new Set(["blocks"]),
      moduleDicts: new Set(),
    };
    expect(codes(effects(wan, ["blocks.{*}"]))).toContain("CHECKPOINTED_FROM_OUTSIDE");
    expect(effects(wan, ["blocks.{*}"]).modules.every(({ effect }) => effect === "nothing")).toBe(true);
  });

  it("moves nothing with a single module, and nothing for a container", () => {
    expect(codes(effects(small, ["model.layers.3"]))).toEqual(["NOTHING_MOVES"]);
    expect(effects(small, ["model.layers", "lm_head"]).modules[0]).toMatchObject({ effect: "nothing" });
  });
});

describe("estimateSelection without gradient checkpointing", () => {
  const off = { gradientCheckpointing: false };

  it("moves nothing on Qwen3, as measured", () => {
    const found = effects(small, ["model.layers.{*}"], off);
    expect(found.modules.every(({ effect, bytes }) => effect === "nothing" && bytes === 0)).toBe(true);
    expect(codes(found)).toEqual(["NOTHING_MOVES"]);
  });

  it("moves the input of layers that begin with a LayerNorm, once", () => {
    const found = effects(recordedTree("gpt2").tree, ["transformer.h.{*}"], off);
    expect(found.modules[0]).toMatchObject({ effect: "moves", copies: 1, bytes: 2048 * 768 * 2 });
  });

  it("copies the input of layers without a first norm for each projection that saves it", () => {
    const found = effects(recordedTree("olmo2").tree, ["model.layers.{*}"], off);
    expect(found.modules[0]).toMatchObject({ effect: "moves", copies: 3, bytes: 3 * 2048 * 4096 * 2 });
    // The last layer keeps three clones in place of its input.
    expect(found.totals.freedAfterForward.bytes).toBe(29 * 2048 * 4096 * 2);
    expect(codes(found)).toEqual(["COPIED_SEVERAL_TIMES"]);
  });

  it("frees an input only where every projection that reads it gives it up", () => {
    const freedBy = (...names: string[]) => effects(small, names, off).totals.freedAfterForward;
    expect(freedBy("model.layers.*.self_attn.q_proj")).toEqual({
      bytes: 0,
      arithmetic: "nothing: other modules save the same tensor",
    });
    const all = ["model.layers.*.self_attn.[qk]_proj", "model.layers.*.self_attn.v_proj"];
    expect(freedBy(...all).bytes).toBe(27 * 2048 * 1024 * 2);
    // As the engine counts: the last of 28 layers keeps clones of the views that its linear layers save.
    expect(freedBy("model.layers.*.self_attn").bytes).toBe(25 * 2048 * 1024 * 2);
    expect(freedBy("model.layers.*.mlp").bytes).toBe(26 * 2048 * 1024 * 2);
    expect(freedBy("model.layers.*.mlp", "model.layers.{*}").bytes).toBe(26 * 2048 * 1024 * 2);
    expect(freedBy("model.layers.*.self_attn.o_proj").bytes).toBe(0);
  });

  it("multiplies by the width of the tensor that is freed", () => {
    const { bytes, arithmetic } = effects(small, ["model.layers.*.mlp.down_proj"], off).totals.freedAfterForward;
    expect(bytes).toBe(27 * 2048 * 3072 * 2);
    expect(arithmetic).toContain("27 × 1 × 2048 × 3072 × 2 B = ");
  });

  it("gives no bytes without a hidden size", () => {
    const { dimensions: _, ...tree } = recordedTree("gpt2").tree;
    const found = effects(tree, ["transformer.h.{*}"], off);
    expect(found.hiddenSize).toBeNull();
    expect(found.modules[0]).toMatchObject({ effect: "moves", bytes: null });
  });
});

function treeOf(config: Readonly<Record<string, unknown>>): ModuleTree {
  const tree = configTree(config);
  if (!tree.ok) throw new Error(tree.problem.code);
  return tree.value;
}

describe("estimateSelection in families with several residual streams", () => {
  const deepSeek = {
    architectures: ["DeepseekV4ForCausalLM"],
    model_type: "deepseek_v4",
    vocab_size: 129_280,
    hidden_size: 4096,
    moe_intermediate_size: 2048,
    num_hidden_layers: 43,
    num_attention_heads: 64,
    num_key_value_heads: 1,
    head_dim: 512,
    q_lora_rank: 1024,
    num_experts_per_tok: 6,
    n_routed_experts: 256,
    n_shared_experts: 1,
    hc_mult: 4,
  };

  it("moves all streams of a layer's input, and the pool evicts what does not fit its limit", () => {
    const found = effects(treeOf(deepSeek), ["model.layers.{*}"], { seqLen: 8192 });
    expect(found.modules[0]).toMatchObject({ effect: "moves", copies: 1, bytes: 268_435_456 });
    expect(found.modules[0]?.reason).toBe("the checkpoint saves the layer's input, 4 residual streams");
    expect(found.residualStreams).toBe(4);
    expect(found.totals.freedAfterForward.bytes).toBe(11_274_289_152);
    expect(found.totals.freedAfterForward.arithmetic).toContain("42 × 1 × 8192 × 4 × 4096 × 2 B");
    expect(found.totals.pinnedNeeded.bytes).toBe(11_274_289_152);
    // 16 of 42 buffers of 256 MiB fit into 4 GiB.
    expect(found.totals.firstStep).toMatchObject({ allocations: 42, reuses: 0, evictions: 26, drops: 0 });
    expect(found.totals.laterSteps).toMatchObject({ allocations: 26, reuses: 16, evictions: 26, drops: 0 });
    expect(codes(found)).toEqual(["CACHE_LIMIT_BELOW_NEED"]);
  });

  it("follows what the configuration says, and is an ordinary layer with one stream", () => {
    const bytesWith = (streams: unknown) =>
      effects(treeOf({ ...deepSeek, hc_mult: streams }), ["model.layers.{*}"], { seqLen: 1024 }).modules[0]?.bytes;
    expect(bytesWith(2)).toBe(2 * 1024 * 4096 * 2);
    expect(bytesWith(1)).toBe(1024 * 4096 * 2);
    expect(bytesWith(undefined)).toBe(4 * 1024 * 4096 * 2);
    expect(bytesWith("four")).toBeNull();
  });

  it("does not know what a layer that mixes streams saves of them without checkpointing", () => {
    const found = effects(treeOf(deepSeek), ["model.layers.{*}"], { gradientCheckpointing: false });
    expect(found.modules[0]).toMatchObject({ effect: "unknown", bytes: null });
    expect(found.totals.freedAfterForward.bytes).toBeNull();
  });

  it.each([
    [
      { model_type: "gemma3n_text", architectures: ["Gemma3nForCausalLM"], hidden_size: 2048, num_hidden_layers: 30 },
      4,
    ],
    [
      {
        model_type: "gemma3n_text",
        architectures: ["Gemma3nForCausalLM"],
        hidden_size: 2048,
        num_hidden_layers: 30,
        altup_num_inputs: 3,
      },
      3,
    ],
    [{ model_type: "hy_v4", architectures: ["HYV4ForCausalLM"], hidden_size: 2048, num_hidden_layers: 8 }, 4],
  ])("knows the streams of %j", (config, streams) => {
    const tree = treeOf(config);
    const moved = effects(tree, ["model.layers.{*}", "layers.{*}"], { seqLen: 4096, microBatch: 2 }).modules[0];
    expect(moved).toMatchObject({ effect: "moves", bytes: streams * 2 * 4096 * 2048 * 2 });
  });

  it("says of other families that the size is not known, and gives no sum", () => {
    const own = treeOf({ model_type: "qwen3", hidden_size: 512, num_hidden_layers: 4, hc_mult: 8 });
    const found = effects(own, ["model.layers.{*}"]);
    expect(found.residualStreams).toBeNull();
    expect(found.modules[0]).toMatchObject({ effect: "moves", bytes: null });
    expect(found.totals.freedAfterForward.bytes).toBeNull();
    expect(found.totals.laterSteps).toBeNull();
    expect(codes(found)).toContain("LAYER_INPUT_UNKNOWN");
    expect(own.uncertain.some((sentence) => sentence.includes("hc_mult 8"))).toBe(true);
  });
});
