import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { CheckFinding } from "../../../src/cli/checkReport.js";
import { fileUri, renderSarif } from "../../../src/cli/checkSarif.js";
import { checkDocument } from "../../../src/core/config/check.js";
import { LineIndex } from "../../../src/core/config/position.js";
import { allRuleFacts } from "../../../src/core/config/rules/allRules.js";
import { examplePath } from "../../../src/core/config/rules/catalogue.js";
import { sarifSchema } from "./sarifSchema.js";

const uriReference = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]*$/;
const validate = new Ajv({ allErrors: true, formats: { uri: uriReference, "uri-reference": uriReference } }).compile(
  sarifSchema,
);

/** What every rule finds in its example. */
function everyFinding(): CheckFinding[] {
  return allRuleFacts.flatMap(({ example }) => {
    const lines = new LineIndex(example.text);
    const range = ({ start, end }: { start: number; end: number }) => {
      const [from, to] = [lines.positionAt(start), lines.positionAt(end)];
      return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
    };
    const file = example.path ?? examplePath;
    const checked = checkDocument(file, example.text, example.options);
    return (checked?.diagnostics ?? []).map((found) => ({
      file,
      dialect: checked?.dialect ?? "",
      ...range(found.span),
      severity: found.severity,
      code: found.code,
      message: found.message,
      fixes: found.fixes.map((fix) => ({
        title: fix.title,
        edits: fix.edits.map((edit) => ({ ...range(edit.span), newText: edit.newText })),
      })),
    }));
  });
}

describe("SARIF", () => {
  const findings = everyFinding();
  const log = renderSarif(findings);
  const [run] = log.runs;

  it("fits the official schema, for what every rule finds", () => {
    expect(findings.length).toBeGreaterThanOrEqual(allRuleFacts.length);
    validate(JSON.parse(JSON.stringify(log)));
    expect(validate.errors ?? []).toEqual([]);
  });

  it("points from each result to its rule, which has help", () => {
    const { rules } = run.tool.driver;
    expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
    for (const result of run.results) {
      const rule = rules[result.ruleIndex];
      expect(rule?.id).toBe(result.ruleId);
      expect((rule?.help.text ?? "").length).toBeGreaterThan(60);
      expect(rule?.help.markdown).toContain("```");
    }
  });

  it("keeps positions 1-based with exclusive ends, and says how columns count", () => {
    expect(run.columnKind).toBe("utf16CodeUnits");
    for (const [index, result] of run.results.entries()) {
      const { region } = result.locations[0].physicalLocation;
      const { line, column, endLine, endColumn } = findings[index] ?? {};
      expect(region).toEqual({ startLine: line, startColumn: column, endLine, endColumn });
      expect(region.endLine > region.startLine || region.endColumn >= region.startColumn).toBe(true);
    }
  });

  it("turns severities into levels and fixes into replacements", () => {
    const one: CheckFinding = {
      ...{ file: "a/b.yaml", dialect: "verl", line: 1, column: 2, endLine: 1, endColumn: 4 },
      ...{ severity: "hint", code: "cache-without-switch", message: "m" },
      fixes: [{ title: "t", edits: [{ line: 1, column: 2, endLine: 2, endColumn: 1, newText: "" }] }],
    };
    const [result] = renderSarif([one]).runs[0].results;
    expect(result?.level).toBe("note");
    expect(result?.fixes).toEqual([
      {
        description: { text: "t" },
        artifactChanges: [
          {
            artifactLocation: { uri: "a/b.yaml" },
            replacements: [{ deletedRegion: { startLine: 1, startColumn: 2, endLine: 2, endColumn: 1 } }],
          },
        ],
      },
    ]);
  });

  it("is valid without findings", () => {
    expect(validate(JSON.parse(JSON.stringify(renderSarif([]))))).toBe(true);
  });

  it.each([
    ["a/b.yaml", "a/b.yaml"],
    ["./a.yaml", "a.yaml"],
    ["a b/ü#%?.yaml", "a%20b/%C3%BC%23%25%3F.yaml"],
    ["a:b.yaml", "a%3Ab.yaml"],
    ["(x)'*!.sh", "%28x%29%27%2A%21.sh"],
    ["/tmp/a b.yaml", "file:///tmp/a%20b.yaml"],
    ["C:\\runs\\a.yaml", "file:///C:/runs/a.yaml"],
    ["..\\a.yaml", "../a.yaml"],
    ["\uD800.yaml", "%EF%BF%BD.yaml"],
  ])("writes %j as %s", (path, uri) => {
    expect(fileUri(path)).toBe(uri);
  });
});
