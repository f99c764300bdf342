import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { nodeAt, scalarOf } from "../../../../src/core/config/document/configNode.js";
import { readConfig } from "../../../../src/core/config/readConfig.js";
import { choiceEdit } from "../../../../src/core/config/write/choiceEdits.js";
import { editableText, withEdits } from "../../../../src/core/config/write/editedLines.js";
import { point } from "../../sweep/points.js";
import { engine, findingsIn } from "../checkedText.js";
import { migrated } from "../migrate/migratedText.js";

const breaks = ["\x85", "\u2028", "\u2029", "\r"];

function training(lines: string): string {
  return `model:\n  model_path: Qwen3-8B\n${lines}data:\n  train_path: d\ntrain:\n  accelerator:\n    fsdp_config:\n      fsdp_mode: fsdp2\n`;
}

function textAt(text: string, path: string): unknown {
  const found = scalarOf(nodeAt(parseConfig(text, "pyyaml").root, path.split(".")));
  return found !== undefined && "value" in found ? found.value : undefined;
}

describe("editableText", () => {
  it("keeps the breaks of lines that stay", () => {
    const text = "a: 1 # x\u2028b: 2\x85c: 3\n";
    const { readable, editsTo } = editableText(text);
    expect(readable).toBe("a: 1 # x\nb: 2\nc: 3\n");
    expect(withEdits(text, editsTo("a: 1 # x\nb: 9\nc: 3\n"))).toBe("a: 1 # x\u2028b: 9\nc: 3\n");
  });

  it("writes carriage returns where there are no others", () => {
    const { editsTo } = editableText("a: 1\rb: 2\r");
    expect(withEdits("a: 1\rb: 2\r", editsTo("a: 1\nb: 2\nc: 3\n"))).toBe("a: 1\rb: 2\rc: 3\r");
  });
});

describe.each(breaks)("what stands behind %j", (lineBreak) => {
  it("in quotes stays text when the line becomes a comment", () => {
    const text = training(`  note_x: "a${lineBreak}  model_path: EVIL #"\n`);
    const after = migrated(text, "model-scoped+template").text;
    expect(textAt(after, "model.model_path")).toBe("Qwen3-8B");
    expect(parseConfig(after, "pyyaml").syntaxProblems).toEqual([]);
  });

  it("in a comment is a line of its own before and after", () => {
    const text = training(`  note_x: 1 # hidden${lineBreak}  other_x: 2\n`);
    expect(textAt(text, "model.other_x")).toBe(2);
    const after = migrated(text, "model-scoped+template").text;
    expect(parseConfig(after, "pyyaml").syntaxProblems).toEqual([]);
    expect(textAt(after, "model.other_x")).toBeUndefined();
  });

  it("in a key ends the block, before and after", () => {
    const text = training(`  ops_implementation:\n    attn${lineBreak}_implementation: flash_attention_2\n`);
    expect(textAt(text, "model.ops_implementation")).toBe("attn");
    expect(textAt(text, "_implementation")).toBe("flash_attention_2");
    const after = migrated(text, "model-scoped+template").text;
    expect(parseConfig(after, "pyyaml").syntaxProblems).toEqual([]);
  });

  it("in a pattern stays text when a choice takes the list out of force", () => {
    const text = `actor_rollout_ref:\n  model:\n    path: checkpoint\n    enable_gradient_checkpointing: true\n  actor:\n    strategy: veomni\n    veomni:\n      strategy: veomni\n      enable_async_activation_offload: true\n      activation_offload_modules: ["model.layers.*", "x${lineBreak}      param_offload: true #"]\n`;
    const block = "actor_rollout_ref.actor.veomni";
    const edited = choiceEdit("run.yaml", readConfig("run.yaml", text), block, point({ strategy: "none" }));
    if (!edited.ok) throw new Error(edited.problem.message);
    const after = withEdits(text, [edited.value.edit]);
    const document = parseConfig(after, "omegaconf");
    expect(document.syntaxProblems).toEqual([]);
    expect(nodeAt(document.root, [...block.split("."), "param_offload"])).toBeUndefined();
  });

  it("is no part of the block scalar above", () => {
    const text = `text: |${lineBreak}  kept${lineBreak}${lineBreak}seed: 1${lineBreak}`;
    const span = nodeAt(parseConfig(text, "omegaconf").root, ["text"])?.span;
    expect(text.slice(span?.start, span?.end)).toBe(`|${lineBreak}  kept`);
  });

  it("in old keys of verl stays what it is", () => {
    const text = `actor_rollout_ref:\n  actor:\n    strategy: veomni\n    veomni:\n      tensor_parallel_size: "1${lineBreak}      param_offload: true #"\n      seed: 1\n`;
    const after = migrated(text, "verl").text;
    const document = parseConfig(after, "omegaconf");
    expect(document.syntaxProblems).toEqual([]);
    expect(nodeAt(document.root, ["actor_rollout_ref", "actor", "veomni", "param_offload"])).toBeUndefined();
  });
});

it("an entry that an alias elsewhere needs is not removed", () => {
  const named = engine("bad_key: &x 1", "seed: *x");
  expect(findingsIn(named).flatMap(({ fixes }) => fixes)).toEqual([]);
});

it("the sample and the fixtures have plain breaks already", () => {
  const sample = readFileSync(new URL("../../../../media/sample/veomni.yaml", import.meta.url), "utf8");
  expect(editableText(sample).readable).toBe(sample);
});
