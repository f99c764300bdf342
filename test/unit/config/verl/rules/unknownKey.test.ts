import { describe, expect, it } from "vitest";
import { engine, findingsIn, fixed, summary } from "../../checkedText.js";

describe("unknown-key", () => {
  it.each([
    ["parm_offload: true", "parm_offload", "param_offload"],
    ["enable_async_activation_ofload: true", "enable_async_activation_ofload", "enable_async_activation_offload"],
    ["router_replay: {moed: R2}", "moed", "mode"],
  ])("finds %s and renames it", (line, place, nearest) => {
    expect(summary(engine(line))).toEqual([`error unknown-key|${place}`]);
    expect(findingsIn(engine(line))[0]?.message).toContain(`Did you mean ${nearest}?`);
    const result = fixed(`Rename to ${nearest}`, engine(line));
    expect(result).toBe(engine(line.replace(place, nearest)));
    expect(summary(result)).toEqual([]);
  });

  it("doubts keys that are near nothing: a later verl may have them", () => {
    const text = engine("learning_rate: 1", "seed: 1");
    expect(summary(text)).toEqual(["warning unknown-key|learning_rate"]);
    expect(findingsIn(text)[0]).toMatchObject({ fixes: [] });
    expect(findingsIn(text)[0]?.message).toContain("2026-08-22");
  });

  it("does not offer a name that is taken", () => {
    const titles = findingsIn(engine("seed: 1", "sede: 2")).flatMap((finding) => finding.fixes.map((fix) => fix.title));
    expect(titles).toEqual(["Remove sede"]);
  });

  it("only informs where a class of the user's own takes the keys", () => {
    const text =
      "a: {veomni: {}}\nactor_rollout_ref:\n  actor:\n    veomni:\n      _target_: my.VeOmniEngineConfig\n      extra: 1\n";
    expect(summary(text)).toContain("information unknown-key|extra");
  });

  it.each([
    "_convert_: all",
    "grad_offload: false",
    "micro_batch_size_per_gpu: ${a.b}",
    "router_replay: {record_file: a}",
  ])("is content with %s", (line) => {
    expect(summary(engine(line))).toEqual([]);
  });
});
