import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { CheckFinding } from "../../../../src/cli/report/checkReport.js";
import { fileUri, renderSarif } from "../../../../src/cli/report/checkSarif.js";
import { allRuleFacts } from "../../../../src/core/config/allRules.js";
import { examplePath } from "../../../../src/core/config/catalogue.js";
import type { CheckOptions } from "../../../../src/core/config/check.js";
import { checkDocument } from "../../../../src/core/config/check.js";
import { LineIndex } from "../../../../src/core/config/document/position.js";

/** Only characters of RFC 3986, and every percent sign with two digits. */
const uriReference = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
const uri = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The official schema; its `$schema` and `id` are spelt as draft 4 wants them, which this validator does not take. */
function officialSchema(): object {
  const path = join(process.cwd(), "test", "fixtures", "sarif", "sarif-2.1.0-rtm.5.json");
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(path, "utf8"));
  return schema;
}

const validate = new Ajv({
  allErrors: true,
  strict: false,
  unicodeRegExp: false,
  formats: { uri, "uri-reference": uriReference, "date-time": dateTime },
}).compile(officialSchema());

function schemaErrors(log: unknown): readonly unknown[] {
  validate(JSON.parse(JSON.stringify(log)));
  return validate.errors ?? [];
}

/** What every rule finds in its example. */
function everyFinding(): CheckFinding[] {
  return allRuleFacts.flatMap(({ example }) => findingsOf(example.path ?? examplePath, example.text, example.options));
}

function findingsOf(file: string, text: string, options?: CheckOptions): CheckFinding[] {
  const lines = new LineIndex(text);
  const range = ({ start, end }: { start: number; end: number }) => {
    const [from, to] = [lines.positionAt(start), lines.positionAt(end)];
    return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
  };
  const checked = checkDocument(file, text, options);
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
}

describe("SARIF", () => {
  const findings = everyFinding();
  const log = renderSarif(findings);
  const [run] = log.runs;

  it("fits the official schema, for what every rule finds", () => {
    expect(findings.length).toBeGreaterThanOrEqual(allRuleFacts.length);
    expect(schemaErrors(log)).toEqual([]);
  });

  it("says which version it is, and names the schema of that version", () => {
    expect(log.version).toBe("2.1.0");
    expect(new URL(log.$schema).pathname).toMatch(/sarif-schema-2\.1\.0\.json$/);
  });

  /** One change that the official schema must refuse, so that the test above means something. */
  it.each<[string, (result: Record<string, unknown>) => unknown]>([
    ["a severity of ours", (result) => Object.assign(result, { level: "hint" })],
    ["a member that SARIF does not know", (result) => Object.assign(result, { code: "x" })],
    ["a rule index below -1", (result) => Object.assign(result, { ruleIndex: -2 })],
    ["no message", (result) => Object.assign(result, { message: {} })],
    ["a line 0", (result) => Object.assign(result, { locations: [{ physicalLocation: region({ startLine: 0 }) }] })],
    [
      "a column 0",
      (result) => Object.assign(result, { locations: [{ physicalLocation: region({ startColumn: 0 }) }] }),
    ],
    ["a blank in a URI", (result) => Object.assign(result, { locations: [{ physicalLocation: place("a b") }] })],
    ["a fix without changes", (result) => Object.assign(result, { fixes: [{ artifactChanges: [] }] })],
  ])("is refused with %s", (_, change) => {
    const copy = JSON.parse(JSON.stringify(log));
    change(copy.runs[0].results[0]);
    expect(schemaErrors(copy)).not.toEqual([]);
  });

  it("points from each result to its rule, which has help", () => {
    const { rules } = run.tool.driver;
    expect(new Set(rules.map((rule) => rule.id)).size).toBe(rules.length);
    for (const result of run.results) {
      const rule = rules[result.ruleIndex];
      expect(Number.isInteger(result.ruleIndex)).toBe(true);
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
      expectOrdered(region);
    }
  });

  it("counts columns in UTF-16 units, also behind characters of two", () => {
    const line = "actor_rollout_ref: {model: {\u{1F680}: 1}, actor: {veomni: {seed: x}}}";
    const found = findingsOf("run.yaml", `# \u{1F680}\n${line}\n`).filter(({ code }) => code === "wrong-type");
    const [result] = renderSarif(found).runs[0].results;
    const startColumn = line.indexOf("x}") + 1;
    const expected = { startLine: 2, startColumn, endLine: 2, endColumn: startColumn + 1 };
    expect(result?.locations[0].physicalLocation.region).toEqual(expected);
  });

  it("replaces regions of the artifact that the result lies in, each ordered and apart from the others", () => {
    for (const result of run.results) {
      const { uri: own } = result.locations[0].physicalLocation.artifactLocation;
      for (const fix of result.fixes ?? []) {
        expect(fix.description.text).not.toBe("");
        const [change] = fix.artifactChanges;
        expect(change.artifactLocation.uri).toBe(own);
        expect(change.replacements.length).toBeGreaterThan(0);
        const regions = change.replacements.map(({ deletedRegion }) => deletedRegion);
        for (const deleted of regions) expectOrdered(deleted);
        const sorted = [...regions].sort((a, b) => a.startLine - b.startLine || a.startColumn - b.startColumn);
        for (const [at, next] of sorted.slice(1).entries()) {
          const before = sorted[at] ?? next;
          const isApart =
            before.endLine < next.startLine ||
            (before.endLine === next.startLine && before.endColumn <= next.startColumn);
          expect(isApart, JSON.stringify(regions)).toBe(true);
        }
      }
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
    expect(schemaErrors(renderSarif([]))).toEqual([]);
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
    expect(uri).toMatch(uriReference);
  });
});

function place(uri: string): object {
  return { artifactLocation: { uri } };
}

function region(change: object): object {
  return { ...place("a"), region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2, ...change } };
}

function expectOrdered(region: { startLine: number; startColumn: number; endLine: number; endColumn: number }): void {
  const isOrdered =
    region.endLine > region.startLine ||
    (region.endLine === region.startLine && region.endColumn >= region.startColumn);
  expect(isOrdered, JSON.stringify(region)).toBe(true);
}
