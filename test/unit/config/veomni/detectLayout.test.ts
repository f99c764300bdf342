import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { detectLayout, pinOf } from "../../../../src/core/config/veomni/detectLayout.js";
import type { LayoutId } from "../../../../src/core/config/veomni/layout.js";
import { trainingText } from "../../../../src/core/config/veomni/rules/trainingExample.js";
import { type TrainingSource, textOfSource, trainingFixture } from "./checkedTraining.js";
import { recordedFields } from "./recordedFields.js";

function detect(source: TrainingSource, option?: LayoutId) {
  const text = textOfSource(source);
  const found = detectLayout(parseConfig(text, "pyyaml"), option);
  const cut = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  return {
    layout: found.layout,
    origin: found.origin,
    evidence: found.evidence.map(cut),
    ...(found.mixed === undefined ? {} : { mixed: [found.mixed.layout, ...found.mixed.evidence.map(cut)] }),
  };
}

describe("detectLayout", () => {
  it.each([
    ["flat.good.yaml", "flat"],
    ["train-scoped.good.yaml", "train-scoped"],
    ["train-scoped+async.good.yaml", "train-scoped+async"],
    ["model-scoped.good.yaml", "model-scoped"],
    ["model-scoped+template.good.yaml", "model-scoped+template"],
    ["dpo.good.yaml", "train-scoped+async"],
    ["configs/dit/ltx2_low_vram.yaml", "train-scoped"],
  ])("takes %s for %s", (name, layout) => {
    const found = detect(trainingFixture(name));
    expect(found.layout).toBe(layout);
    expect(found.mixed).toBeUndefined();
    expect(found.evidence.length).toBeGreaterThan(0);
  });

  it.each(Object.keys(recordedFields.flatToNested).map((key) => key.split(" ")[0]?.slice("train.".length) ?? ""))(
    "takes train.%s for flat",
    (key) => {
      expect(detect({ train: [`${key}: text`] })).toEqual({ layout: "flat", origin: "keys", evidence: [key] });
    },
  );

  it.each<[TrainingSource, string, readonly string[]]>([
    [{ model: ["accelerator: {}"] }, "model-scoped", ["accelerator"]],
    [{ model: ["optimizer: {}", "chat_template: x"] }, "model-scoped+template", ["optimizer", "chat_template"]],
    [{ model: ["chat_template: x"] }, "model-scoped+template", ["chat_template"]],
    [{ model: ["ep_sharded_stream_load: true"] }, "model-scoped", ["ep_sharded_stream_load"]],
    [{ train: ["optimizer: {lr: 1.0}"] }, "train-scoped", ["optimizer"]],
    [{ train: ["gradient_checkpointing: {}"] }, "train-scoped", ["gradient_checkpointing"]],
    [{ data: ["chat_template: x"] }, "model-scoped", ["chat_template"]],
    [{ model: ["attn_implementation: sdpa"] }, "flat", ["attn_implementation"]],
    [{ data: ["num_workers: 2"] }, "flat", ["num_workers"]],
  ])("takes %j for %s", (source, layout, evidence) => {
    expect(detect(source)).toEqual({ layout, origin: "keys", evidence });
  });

  it("takes the newest where nothing tells", () => {
    expect(detect({})).toEqual({ layout: "model-scoped+template", origin: "default", evidence: [] });
    expect(detect("")).toMatchObject({ origin: "default" });
  });

  it("says when keys of several layouts are mixed", () => {
    expect(detect({ model: ["accelerator: {}"], train: ["accelerator: {}"] })).toEqual({
      layout: "model-scoped",
      origin: "keys",
      evidence: ["accelerator"],
      mixed: ["train-scoped", "accelerator"],
    });
    expect(detect({ train: ["accelerator: {}", "lr: 1.0"] }).mixed).toEqual(["flat", "lr"]);
  });

  it("follows a pin before an option before the keys", () => {
    const pinned = { pin: "flat", train: ["accelerator: {}"] } as const;
    expect(detect(pinned)).toMatchObject({
      layout: "flat",
      origin: "pin",
      evidence: ["flat"],
      mixed: ["train-scoped", "accelerator"],
    });
    expect(detect(pinned, "model-scoped").layout).toBe("flat");
    expect(detect({ train: ["lr: 1.0"] }, "model-scoped")).toMatchObject({ layout: "model-scoped", origin: "option" });
  });

  it("ignores a pin that names no layout, and keeps it", () => {
    const text = `# offload-lens: layout=nested\n${trainingText({ train: ["lr: 1.0"] })}`;
    const found = detectLayout(parseConfig(text, "pyyaml"));
    expect(found).toMatchObject({ layout: "flat", origin: "keys", badPin: { text: "nested" } });
  });
});

describe("pinOf", () => {
  it("reads the first line only", () => {
    expect(pinOf("\uFEFF#offload-lens:layout=flat # why\na: 1")?.text).toBe("flat");
    expect(pinOf("a: 1\n# offload-lens: layout=flat")).toBeUndefined();
    expect(pinOf("# offload-lens: model=x")).toBeUndefined();
  });
});
