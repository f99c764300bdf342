// @slow: large inputs or many cases.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../src/core/config/check.js";
import { readOffloadSettings } from "../../../src/core/config/readConfig.js";
import { ruleExplanations } from "../../../src/core/config/verl/rules/registry.js";
import { applyFix, engine, findingsIn, summary } from "./checkedText.js";

function fixture(name: string): string {
  return readFileSync(fileURLToPath(new URL(`../../fixtures/config/${name}`, import.meta.url)), "utf8");
}

const goodFiles = [
  "engine.good.yaml",
  "composed.good.yaml",
  "sft.good.yaml",
  "actor/veomni_actor.yaml",
  "ref/veomni_ref.yaml",
];

describe("checkDocument", () => {
  it.each(goodFiles)("finds nothing in %s", (name) => {
    expect(summary(fixture(name), name)).toEqual([]);
  });

  it("is quiet in generated reference files, silent on other files, and knows VeOmni's own", () => {
    expect(checkDocument("_generated_ppo_veomni_trainer.yaml", fixture("_generated_ppo_veomni_trainer.yaml"))).toEqual({
      dialect: "verl",
      diagnostics: [],
    });
    expect(checkDocument("qwen3.yaml", fixture("veomni_training.yaml"))?.dialect).toBe("train-scoped+async");
    expect(checkDocument("engine/fsdp.yaml", "param_ofload: true\n")).toBeUndefined();
  });

  it("reports all kinds of findings of one file, in text order", () => {
    expect(summary(fixture("many.bad.yaml"))).toEqual([
      "information async-without-gc|enable_gradient_checkpointing: false",
      "error async-vs-sync|enable_activation_offload: yes",
      'warning wrong-type|"yes"',
      "error unquoted-pattern|model.layers.{*}",
      "error out-of-range|-1",
      "error removed-key|activation_gpu_limit",
      "error foreign-key|ulysses_size",
      "error unknown-key|parm_offload",
      "warning async-reentrant|enable_reentrant: true",
      "error duplicate-key|seed",
      "information ref-not-following|init_device: gpu",
      "error unknown-value|gpu",
      "information async-in-ref|enable_async_activation_offload: true",
      'warning text-instead-of-list|"model.layers.{*}"',
      "warning modules-without-switch|activation_offload_modules",
      "error list-entry-not-string|3",
      "hint cache-without-switch|activation_offload_host_cache_limit_gb",
    ]);
  });

  it("comes to rest when first fixes are applied in turn; what is left has none", () => {
    let text = fixture("many.bad.yaml");
    for (let round = 0; round < 40; round++) {
      const fix = findingsIn(text).flatMap((finding) => finding.fixes)[0];
      if (fix === undefined) break;
      text = applyFix(text, fix);
    }
    expect(summary(text)).toEqual(["error unknown-value|gpu"]);
  });

  it("reports a shared model once for all roles", () => {
    const text =
      "actor_rollout_ref:\n  model: {enable_activation_offload: true}\n  actor: {veomni: {}}\n  ref: {veomni: {}}\n";
    expect(summary(text)).toEqual(["error async-vs-sync|enable_activation_offload: true"]);
  });

  it("has an explanation for every code that it reports", () => {
    const codes = new Set(findingsIn(fixture("many.bad.yaml")).map((finding) => finding.code));
    for (const code of codes) expect([code, (ruleExplanations.get(code) ?? "").length > 20]).toEqual([code, true]);
  });

  it("bounds what it reports on files that are wrong without end", () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `key${index}: 1`);
    expect(findingsIn(engine(...keys)).length).toBeLessThan(2_000);
    const patterns = Array.from({ length: 5_000 }, () => "a.{*}").join(",");
    const findings = findingsIn(
      engine("enable_async_activation_offload: true", `activation_offload_modules: [${patterns}]`),
    );
    expect(findings.length).toBe(200);
    expect(findings[0]?.fixes.length).toBe(1);
    const entries = Array.from({ length: 5_000 }, () => "  - 1");
    expect(findingsIn(engine("basic_modules:", ...entries)).length).toBe(200);
  });

  it("reports hostile text as one problem", () => {
    expect(summary(engine(`a: ${"[".repeat(200_000)}`))).toEqual(["error yaml-syntax|["]);
  });
});

/** mulberry32: a small generator with a fixed seed, so that a failure can be repeated. */
function randomSource(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const scraps = [
  "{*}",
  "[",
  "]",
  "{",
  "}",
  "*",
  "&a ",
  "*a",
  "<<: *a",
  ": ",
  "- ",
  "? ",
  "#",
  "\n",
  "\r\n",
  "\t",
  '"',
  "'",
  "|",
  ">",
  "!!str ",
  "${",
  "???",
  "null",
  "\uFEFF",
  "\uD800",
  "---\n",
  "%YAML 1.1\n",
  "  ",
  ",",
  "activation_gpu_limit: 1\n",
  "veomni: ",
];

describe("hostile edits", () => {
  it("never make the rules throw, leave the text, or overlap", () => {
    const random = randomSource(20_260_903);
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
    const originals = [...goodFiles, "many.bad.yaml"].map(fixture);
    let recognised = 0;
    for (let round = 0; round < 3_000; round++) {
      let text = pick(originals) ?? "";
      for (let edit = 0; edit <= random() * 6; edit++) {
        const at = Math.floor(random() * text.length);
        const removed = random() < 0.5 ? Math.floor(random() * 12) : 0;
        text = text.slice(0, at) + (pick(scraps) ?? "") + text.slice(at + removed);
      }
      const diagnostics = checkDocument("x.yaml", text)?.diagnostics;
      if (diagnostics === undefined) continue;
      recognised++;
      for (const { span, fixes } of diagnostics) {
        const isInside = span.start >= 0 && span.start <= span.end && span.end <= text.length;
        if (!isInside) expect([text, span]).toEqual([]);
        for (const fix of fixes) applyFix(text, fix);
      }
      readOffloadSettings("x.yaml", text);
    }
    expect(recognised).toBeGreaterThan(2_000);
  }, 120_000);
});
