import { describe, expect, it } from "vitest";
import { converterOf } from "../../../../src/core/modules/families/conversions.js";
import type { Conversion } from "../../../../src/core/modules/families/recordedFamilies.js";

const rename = (from: string, to: string, more: Partial<Conversion> = {}): Conversion => ({
  k: "R",
  s: [from],
  d: [to],
  ...more,
});

/** Converts the names one after the other. */
function convertNames(conversions: readonly Conversion[], names: readonly string[]): readonly string[] {
  const { convert } = converterOf(conversions);
  return names.map((name) => convert(name));
}

describe("converterOf", () => {
  it("applies every rename in turn and keeps the numbers", () => {
    const steps = [
      rename("^language_model", "model.language_model"),
      rename("^model.language_model.model", "model.language_model"),
    ];
    expect(
      convertNames(steps, ["language_model.model.layers.12.a.3.w", "language_model.model.layers.3.a.12.w"]),
    ).toEqual(["model.language_model.layers.12.a.3.w", "model.language_model.layers.3.a.12.w"]);
  });

  it("joins experts by the first conversion that fits", () => {
    const joined: Conversion = {
      k: "C",
      s: ["mlp.experts.*.gate_proj.weight", "mlp.experts.*.up_proj.weight"],
      d: ["mlp.experts.gate_up_proj"],
    };
    const names = [0, 1].flatMap((expert) =>
      ["gate", "up"].map((part) => `layers.7.mlp.experts.${expert}.${part}_proj.weight`),
    );
    const converted = convertNames([joined, rename("never", "x", { k: "C" })], names);
    expect(new Set(converted)).toEqual(new Set(["layers.7.mlp.experts.gate_up_proj"]));
  });

  it("keeps to its scope, with or without the prefix of the body", () => {
    const scoped = rename("^vision_model\\.(.+)$", "\\1", { p: "vision_tower", b: "model" });
    expect(
      convertNames(
        [scoped],
        ["model.vision_tower.vision_model.x.w", "vision_tower.vision_model.x.w", "vision_model.x.w"],
      ),
    ).toEqual(["model.vision_tower.x.w", "vision_tower.x.w", "vision_model.x.w"]);
  });

  it("opens a group by its first pattern only", () => {
    const group: Conversion = { k: "G", s: ["norm0", "norm1"], d: ["norm1", "norm2"] };
    expect(convertNames([group], ["a.norm1.w"])).toEqual(["a.norm1.w"]);
    expect(convertNames([group], ["a.norm0.w", "a.norm1.w"])).toEqual(["a.norm1.w", "a.norm2.w"]);
  });

  it("says where names that differ in their numbers only are not alike", () => {
    const looks = (conversion: Conversion) => converterOf([conversion]).looksAtNumbers;
    expect(looks(rename("mlp\\.0\\.", "mlp.first."))).toBe(true);
    expect(looks({ k: "G", s: ["norm0", "norm1"], d: ["norm1", "norm2"] })).toBe(true);
    expect(looks(rename("conv2d1\\.", "x."))).toBe(false);
    expect(looks(rename("^layers\\.(\\d{1,3})\\.", "model.layers.\\1."))).toBe(false);
  });

  it("renames by number where a pattern names one", () => {
    const numbered = rename("mlp\\.0\\.", "mlp.first.");
    expect(convertNames([numbered], ["a.mlp.0.w", "a.mlp.1.w"])).toEqual(["a.mlp.first.w", "a.mlp.1.w"]);
  });
});
