import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readOffloadSettings } from "../../../../src/core/config/readConfig.js";
import { patternsInText } from "../ofText.js";

const path = "veomni.yaml";

/** A file of verl with this text behind the switch. */
function file(list: string): string {
  const block = `      enable_async_activation_offload: true\n${list}`;
  return `actor_rollout_ref:\n  actor:\n    veomni:\n${block}      fsdp_size: -1  # all\n`;
}

function apply(text: string, patterns: readonly string[]): string {
  const [settings] = readOffloadSettings(path, text);
  if (settings === undefined) throw new Error("no block");
  const edit = patternsInText(path, text, settings, patterns);
  if (!edit.ok) throw new Error(edit.problem.code);
  const { span, newText } = edit.value;
  const result = text.slice(0, span.start) + newText + text.slice(span.end);
  expect(readOffloadSettings(path, result)[0]?.patterns).toEqual(patterns);
  return result;
}

const block = (...lines: readonly string[]) =>
  file(`      activation_offload_modules:\n${lines.map((line) => `        ${line}\n`).join("")}`);
const flow = (list: string) => file(`      activation_offload_modules: ${list}\n`);

describe("patternListEdit", () => {
  it("replaces an entry and keeps the comments around it", () => {
    expect(apply(block("# the layers", "- model.layers.{*}  # all of them"), ["model.layers.[0-3]"])).toBe(
      block("# the layers", "- model.layers.[0-3]  # all of them"),
    );
  });

  it("keeps what both lists share where it is, adds behind it and takes out the rest", () => {
    const before = block("- a.*  # first", "- b.*", "# third", "- c.*", "- d.*");
    expect(apply(before, ["a.*", "c.*", "e.*", "f.*"])).toBe(
      block("- a.*  # first", "# third", "- c.*", "- e.*", "- f.*"),
    );
    expect(apply(before, ["x.*", "a.*", "b.*", "c.*", "d.*"])).toBe(
      block("- x.*  # first", "- a.*", "- b.*", "# third", "- c.*", "- d.*"),
    );
    expect(apply(before, ["d.*"])).toBe(block("# third", "- d.*"));
  });

  it("writes quotes as the list has them, and where YAML needs them", () => {
    expect(apply(block('- "a.*"'), ["b.{*}"])).toBe(block('- "b.{*}"'));
    expect(apply(block("- 'a.*'"), ["a.*", "b.{*}"])).toBe(block("- 'a.*'", "- 'b.{*}'"));
    expect(apply(block("- a.*"), ["*.b", "a.*"])).toBe(block('- "*.b"', "- a.*"));
  });

  it("edits lists in brackets", () => {
    expect(apply(flow('["a.*", b, c]'), ["b", "d.{*}"])).toBe(flow('[b, "d.{*}"]'));
    expect(apply(flow("[a, b, c]  # here"), ["a"])).toBe(flow("[a]  # here"));
    expect(apply(flow("[a, b, c]"), ["c"])).toBe(flow("[c]"));
    expect(apply(flow("[b]"), ["a", "b"])).toBe(flow('["a", "b"]'));
  });

  it("keeps the comment of an entry when the one behind it goes", () => {
    const list = (...lines: readonly string[]) =>
      flow(`[\n${lines.map((line) => `        ${line}\n`).join("")}      ]`);
    expect(apply(list("a,  # first", "b"), ["a"])).toBe(list("a,  # first", ""));
    expect(apply(list("a,  # first", "b,"), ["a"])).toBe(list("a,  # first", ""));
  });

  it("makes a list of what is none", () => {
    expect(apply(flow("model.layers.*"), ["a.{*}"])).toBe(flow('["a.{*}"]'));
    expect(apply(flow("[]  # automatic"), ["a.{*}"])).toBe(flow('["a.{*}"]  # automatic'));
    expect(apply(flow("").replace(": \n", ":\n"), ["a"])).toBe(flow('["a"]'));
    expect(apply(flow("[[a]]"), ["a"])).toBe(flow('["a"]'));
    expect(apply(flow("[a.{*}]"), ["b"])).toBe(flow('["b"]'));
  });

  it("adds an absent key behind its switch", () => {
    expect(apply(file(""), ["a.{*}"])).toBe(file('      activation_offload_modules: ["a.{*}"]\n'));
  });

  it("follows the form of verl's own files", () => {
    const own = "verl/trainer/config/engine/veomni.yaml";
    const text = "# @package _global_\n_target_: verl.workers.config.VeOmniEngineConfig\n\n# Sizes.\nfsdp_size: -1\n";
    const [settings] = readOffloadSettings(own, text);
    if (settings === undefined) throw new Error("no block");
    const edit = patternsInText(own, text, settings, ["a"]);
    expect(edit.ok && edit.value.newText).toBe(
      '\n\n# Modules whose saved tensors move to the host.\nactivation_offload_modules: ["a"]',
    );
  });

  it("refuses an empty list, which would mean the automatic mode, and a block that is not there", () => {
    const text = block("- a");
    const [settings] = readOffloadSettings(path, text);
    if (settings === undefined) throw new Error("no block");
    expect(patternsInText(path, text, settings, [])).toMatchObject({
      ok: false,
      problem: { code: "PATTERN_LIST_EMPTY" },
    });
    const elsewhere = {
      blockPath: "train.offload",
      blockSpan: { start: 0, end: 0 },
      enabled: true,
      patterns: undefined,
    };
    expect(patternsInText(path, text, elsewhere, ["a"])).toMatchObject({
      ok: false,
      problem: { code: "PATTERN_LIST_NO_PLACE" },
    });
  });

  it("writes any list over any other, in either form, with Windows line ends too", () => {
    const names = fc.constantFrom("a.{*}", "b.*", "c.[0-3]", "*", "d", "e.?", "f g", 'h"i');
    const lists = fc.uniqueArray(names, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(lists, lists, fc.boolean(), fc.boolean(), (old, wanted, inBrackets, windows) => {
        const quoted = old.map((pattern) => JSON.stringify(pattern));
        const text = inBrackets
          ? flow(`[${quoted.join(", ")}]`)
          : block(...quoted.map((entry) => `- ${entry} # ${entry}`));
        const result = apply(windows ? text.replaceAll("\n", "\r\n") : text, wanted);
        expect(result.replaceAll("\r\n", "").includes("\r")).toBe(false);
        expect(result.includes("fsdp_size: -1  # all")).toBe(true);
      }),
      { seed: 7, numRuns: 300 },
    );
  });
});
