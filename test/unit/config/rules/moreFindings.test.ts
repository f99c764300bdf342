// @slow: large inputs or many cases.
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import type { Diagnostic, Severity } from "../../../../src/core/config/document/diagnostic.js";
import { boundedFindings } from "../../../../src/core/config/rules/moreFindings.js";

function finding(start: number, severity: Severity): Diagnostic {
  return { span: { start, end: start + 1 }, severity, code: `at-${start}`, message: "", fixes: [] };
}

describe("more-findings", () => {
  it("keeps the gravest findings in text order, and counts the others where the first of them stands", () => {
    const found = [finding(0, "hint"), finding(2, "warning"), finding(4, "hint"), finding(6, "error")];
    const bounded = boundedFindings(found, { mostFindings: 2 });
    expect(bounded.map(({ code, span }) => [code, span.start])).toEqual([
      ["more-findings", 0],
      ["at-2", 2],
      ["at-6", 6],
    ]);
    expect(bounded[0]?.message).toBe("2 more findings in this file, from here on, are not listed.");
    expect(boundedFindings(found, { mostFindings: 3 }).find(({ code }) => code === "more-findings")?.message).toMatch(
      /^1 more finding .* is not listed/,
    );
    expect(boundedFindings(found, { mostFindings: 4 })).toEqual(found);
  });

  it.each([
    ["run.sh", (count: number) => `python3 -m verl.trainer.main_ppo model_engine=veomni ${bad(count, "=[{", " ")}`],
    ["a.yaml", (count: number) => `model_engine: veomni\nactor_rollout_ref:\n  actor:\n    veomni:\n${yaml(count)}`],
    ["b.yaml", (count: number) => `# offload-lens: layout=flat\nmodel: {}\ntrain:\n${yaml(count)}`],
  ])("bounds what %s with very many mistakes makes", (path, textOf) => {
    const few = checkDocument(path, textOf(20))?.diagnostics ?? [];
    expect(few.length).toBeGreaterThanOrEqual(20);
    const many = checkDocument(path, textOf(20_000))?.diagnostics ?? [];
    expect(many.length).toBeLessThanOrEqual(1_001);
    expect(JSON.stringify(many).length).toBeLessThan(2_000_000);
  });
});

function bad(count: number, value: string, separator: string): string {
  return Array.from({ length: count }, (_, at) => `actor_rollout_ref.actor.veomni.k${at}${value}`).join(separator);
}

function yaml(count: number): string {
  return Array.from({ length: count }, (_, at) => `      enable_asynk_${at}: true\n`).join("");
}
