import { describe, expect, it } from "vitest";
import { engine, findingsIn, summary } from "../checkedText.js";

describe("yaml-syntax", () => {
  it.each([
    ["a tab", ["router_replay:", "\tmode: R2"], "tabs"],
    ["an open quote", ['load_checkpoint_path: "x'], "quote"],
    ["two documents", ["---", "seed: 1"], "more than one YAML document"],
    ["two keys on a line", ["seed: fsdp_size: 1"], "line of its own"],
    ["an alias of nothing", ["seed: *nowhere"], "alias"],
    ["a star alone", ["seed: *"], "alias"],
    ["a list that is not closed", ["basic_modules: [A", "seed: 1"], "closing bracket is missing"],
    ["braces at the end that are not closed", ["router_replay: {mode: R2"], "bracket that opens here is never closed"],
    ["a quote within quotes", ["load_checkpoint_path: 'it's'"], "quote is missing"],
    ["a Windows path", [`load_checkpoint_path: "C:\\q"`], "backslash"],
    ["an at sign", ["load_checkpoint_path: @x"], "Put quotes around"],
    ["a list behind its key", ["basic_modules: - A"], "line of its own"],
    ["a tag of nobody", ["load_checkpoint_path: !x!y z"], "Quote the text"],
  ])("reports %s in plain words", (_, lines, words) => {
    const findings = findingsIn(engine(...lines)).filter((finding) => finding.code === "yaml-syntax");
    expect(findings.map((finding) => finding.severity)).toContain("error");
    expect(findings.map((finding) => finding.message).join(" ")).toContain(words);
    // Not the parser's own words, which name what it met and no way out.
    expect(findings[0]?.message).not.toMatch(/Unexpected|Missing|cannot start with|must be/);
  });

  it("reports a bracket too many once, not every token behind it", () => {
    const text = `${engine("basic_modules: [A]]", "seed: 1", "strategy: veomni")}algorithm:\n  adv_estimator: grpo\n`;
    const findings = findingsIn(text).filter((finding) => finding.code === "yaml-syntax");
    expect(findings.map(({ span }) => text.slice(span.start, span.end))).toEqual(["]"]);
    expect(findings[0]?.message).toContain("bracket too many");
  });

  it("does not silence the other rules", () => {
    expect(summary(engine("parm_offload: true", 'load_checkpoint_path: "x'))).toContain(
      "error unknown-key|parm_offload",
    );
  });

  it("is content with everything that PyYAML reads", () => {
    const text = engine("router_replay: {", "  mode: R2,", "}", "basic_modules: [", "  A,", "]", "seed: 1");
    expect(summary(text)).toEqual([]);
  });
});
