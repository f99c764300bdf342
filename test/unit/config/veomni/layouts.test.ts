import { describe, expect, it } from "vitest";
import { trainingFields } from "../../../../src/core/config/veomni/fields/fieldTable.js";
import { layoutIds } from "../../../../src/core/config/veomni/layout.js";
import { convertPath, pathIn } from "../../../../src/core/config/veomni/layouts.js";
import { recordedFields } from "./recordedFields.js";

function converted(path: string, from: (typeof layoutIds)[number], to: (typeof layoutIds)[number]): string {
  const result = convertPath(path, from, to);
  return "path" in result ? result.path : `homeless: ${result.why}`;
}

describe("convertPath", () => {
  const relocated = Object.entries(recordedFields.relocated).filter(([, target]) => !target.startsWith("gone"));
  it.each(relocated)("moves %s to %s", (from, target) => {
    const to = target.split(" ")[0];
    const oldest = from === "data.chat_template" ? "model-scoped" : "train-scoped";
    const newer = from === "data.chat_template" ? "model-scoped+template" : "model-scoped";
    expect(converted(from, oldest, newer)).toBe(to);
    expect(converted(to ?? "", newer, oldest)).toBe(from);
  });

  const flat = Object.entries(recordedFields.flatToNested).map(([from, to]) => [from.split(" ")[0] ?? "", to] as const);
  it.each(flat)("moves the flat %s to %s", (from, to) => {
    if (to.startsWith("(")) {
      expect(converted(from, "flat", "train-scoped")).toMatch(/^homeless: /);
      expect(converted(from, "flat", "flat")).toBe(from);
      return;
    }
    expect(converted(from, "flat", "train-scoped")).toBe(to);
    expect(converted(to, "train-scoped", "flat")).toBe(from);
  });

  it("comes back to where it started, for every field and pair of layouts that have it", () => {
    let pairs = 0;
    for (const field of trainingFields) {
      for (const from of layoutIds) {
        for (const to of layoutIds) {
          const start = field.paths[from];
          const end = pathIn(field, to);
          if (start === undefined || end === undefined || start.includes("<")) continue;
          expect([start, from, to, converted(start, from, to)]).toEqual([start, from, to, end]);
          expect(converted(end, to, from)).toBe(start);
          pairs++;
        }
      }
    }
    expect(pairs).toBeGreaterThan(4_000);
  });

  it.each([
    ["model.lora_config.rank", "flat", "model-scoped", "model.lora_config.rank"],
    ["train.accelerator", "train-scoped", "model-scoped+template", "model.accelerator"],
    [
      "model.modules.vit.accelerator.ep_size",
      "model-scoped",
      "model-scoped+template",
      "model.modules.vit.accelerator.ep_size",
    ],
    ["train.optimizer", "flat", "model-scoped", "model.optimizer.type"],
  ] as const)("takes %s from %s to %s as %s", (path, from, to, expected) => {
    expect(converted(path, from, to)).toBe(expected);
  });

  it.each([
    [
      "train.accelerator.offload_config.enable_async_activation",
      "train-scoped+async",
      "train-scoped",
      "newer than the layout train-scoped (since VeOmni #965)",
    ],
    ["train.chunk_mbs_config.enable", "train-scoped", "model-scoped", "gone since VeOmni #1090"],
    ["train.accelerator", "train-scoped", "flat", "no such block"],
    ["train.no_such_key", "train-scoped", "model-scoped", "no such key"],
    ["model.modules.vit.accelerator.ep_size", "model-scoped", "train-scoped", "no such key|newer"],
  ] as const)("finds no home for %s from %s in %s", (path, from, to, why) => {
    const result = convertPath(path, from, to);
    expect(result).toMatchObject({ homeless: path });
    expect("why" in result ? result.why : "").toMatch(new RegExp(why.replace(/[()#]/g, "\\$&")));
  });
});
