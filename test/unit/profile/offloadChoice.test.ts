import { describe, expect, it } from "vitest";
import { type OffloadChoice, resolveSettings } from "../../../src/core/profile/offloadChoice.js";

const on: OffloadChoice = { blockPath: "a.veomni", enabled: true, patterns: ["model.layers.{*}"] };
const off: OffloadChoice = { blockPath: "b.veomni", enabled: false, patterns: undefined };

function settings(...args: Parameters<typeof resolveSettings>) {
  const resolved = resolveSettings(...args);
  if (!resolved.ok) throw new Error(resolved.problem.code);
  return resolved.value;
}

describe("resolveSettings", () => {
  it("compares with veomni_async, checkpointing on, when there is no config", () => {
    const expected = { strategies: ["none", "veomni_async"], gradientCheckpointing: "on" };
    expect(settings({}, undefined)).toEqual({ settings: expected, notes: [] });
    expect(settings({}, [])).toEqual({ settings: expected, notes: [] });
  });

  it("takes strategy, patterns, limit and checkpointing from the config", () => {
    const choice = { ...on, cacheLimitGb: 0, gradientCheckpointing: false };
    expect(settings({ steps: 3 }, [choice]).settings).toEqual({
      steps: 3,
      strategies: ["none", "veomni_async"],
      gradientCheckpointing: "off",
      patterns: ["model.layers.{*}"],
      cacheLimitGb: 0,
    });
  });

  it("keeps an empty list: it is the automatic mode, not an absent key", () => {
    expect(settings({}, [{ ...on, patterns: [] }]).settings.patterns).toEqual([]);
    expect(settings({}, [{ ...on, patterns: undefined }]).settings).not.toHaveProperty("patterns");
  });

  it("lets given settings win", () => {
    const given = {
      strategies: ["veomni_async"],
      gradientCheckpointing: "both",
      patterns: ["x"],
      cacheLimitGb: 1,
    } as const;
    expect(settings(given, [{ ...on, cacheLimitGb: 9, gradientCheckpointing: false }]).settings).toEqual(given);
  });

  it("runs only the baseline when offload is off, and says so", () => {
    const resolved = settings({}, [off]);
    expect(resolved.settings.strategies).toEqual(["none"]);
    expect(resolved.notes).toEqual([expect.stringMatching(/Async offload is off/)]);
    expect(settings({ strategies: ["veomni_async"] }, [off]).notes).toEqual([]);
  });

  it("takes the first block with offload on, and names it", () => {
    const resolved = settings({}, [off, on]);
    expect(resolved.settings.strategies).toEqual(["none", "veomni_async"]);
    expect(resolved.notes).toEqual(["The config has 2 engine blocks; this profiles a.veomni."]);
  });

  it("refuses a pattern list that is text, unless patterns are given", () => {
    const text: OffloadChoice = { ...on, patterns: "model.layers.{*}" };
    const refused = resolveSettings({}, [text]);
    expect(refused.ok ? undefined : refused.problem.code).toBe("CONFIG_PATTERNS_NOT_LIST");
    expect(settings({ patterns: ["x"] }, [text]).settings.patterns).toEqual(["x"]);
  });

  it("refuses a pattern list that holds other things than texts, unless patterns are given", () => {
    const other: OffloadChoice = { ...on, patterns: [], patternsNotTexts: true };
    const refused = resolveSettings({}, [other]);
    expect(refused.ok ? undefined : refused.problem.message).toBe(
      "activation_offload_modules in a.veomni is not a list of texts.",
    );
    expect(settings({ patterns: ["x"] }, [other]).settings.patterns).toEqual(["x"]);
  });
});
