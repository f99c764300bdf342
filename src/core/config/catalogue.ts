import { ruleGroups } from "./allRules.js";
import { checkDocument } from "./check.js";
import type { Diagnostic, QuickFix } from "./document/diagnostic.js";
import type { RuleExample, RuleFacts } from "./rules/rule.js";
import { trainingFields } from "./veomni/fields/fieldTable.js";
import { layoutIds } from "./veomni/layout.js";
import type { FieldSpec } from "./verl/fields/fieldSpec.js";
import { verlEngineTable } from "./verl/fields/verlEngine.js";
import { verlOptimizerTable } from "./verl/fields/verlOptimizer.js";

/** A way to get a configuration wrong, with the file that shows it. Findings are `severity code`. */
export interface RecordedTrap {
  readonly what: string;
  readonly path: string;
  readonly text: string;
  readonly findings: readonly string[];
}

/** What a framework demands of a field beside its type, with a file that breaks it and one that does not. */
export interface RecordedConstraint {
  readonly framework: "verl" | "VeOmni";
  /** The key of the engine block, or the name of the row. */
  readonly field: string;
  readonly constraint: string;
  readonly code?: string;
  readonly wrong?: string;
  readonly right?: string;
  /** Why no file can show it. */
  readonly outOfReach?: string;
}

/** The name under which an example is checked when nothing depends on it. */
export const examplePath = "experiment.yaml";

/** The catalogue of rules as Markdown: each with severity, meaning, an example, what is reported and the first fix. */
export function renderRuleCatalogue(
  traps: readonly RecordedTrap[],
  constraints: readonly RecordedConstraint[],
): string {
  const parts = [
    "# Rules",
    "What `offload-lens check` and the editor report. Error: the framework fails. Warning: it silently does something else than written. Information and hint: the rest.",
    "This file is generated from the rules by `node src/dev/ruleCatalogue.mjs`; messages and fixes below are what the rules give for the examples.",
    ...ruleGroups.flatMap((group) => [`## ${group.title}`, ...group.rules.map(ruleSection)]),
    "## Recorded traps",
    "Mistakes that are known from documentation, shipped configs and public reports, and what is said about each. The files are in `test/fixtures/config/traps.json`.",
    trapTable(traps),
    "## Constraints on fields",
    "Every demand of the frameworks that is recorded for a field, and the rule that knows it. `test/fixtures/config/constraints.json` holds a wrong and a right file of each.",
    constraintTable(constraints),
    "## Fields of verl's VeOmni engine and its optimizer",
    "Every key, and the rules that look at its value alone; `test/unit/config/fields/everyField.test.ts` holds a right and a wrong value of each.",
    fieldTable([...verlEngineTable.fields, ...verlOptimizerTable.fields]),
    "## Fields of VeOmni's training YAML",
    "Every key with its place in the newest layout that has it; right and wrong values of each are in `test/unit/config/veomni`.",
    trainingTable(),
  ];
  return `${parts.join("\n\n")}\n`;
}

function ruleSection(rule: RuleFacts): string {
  const { example } = rule;
  const found = findingOf(rule);
  const parts = [
    `### ${rule.code}`,
    `_${rule.severities.join(", ")}_`,
    escapeText(rule.explanation),
    fenced(example, example.text),
  ];
  if (found !== undefined) parts.push(`> ${escapeText(found.message)}`);
  const [fix] = found?.fixes ?? [];
  if (fix !== undefined) parts.push(`Fix: ${escapeText(fix.title)}.`, fenced(example, applyEdits(example.text, fix)));
  else if (example.right !== undefined) parts.push("Right:", fenced(example, example.right));
  return parts.join("\n\n");
}

/** What the rule says about its own example. */
export function findingOf({ code, example }: RuleFacts): Diagnostic | undefined {
  const checked = checkDocument(example.path ?? examplePath, example.text, example.options);
  return checked?.diagnostics.find((diagnostic) => diagnostic.code === code);
}

function fenced(example: RuleExample, text: string): string {
  const language = /\.(?:sh|bash)$/.test(example.path ?? "") ? "sh" : "yaml";
  return `\`\`\`${language}\n${visibleReturns(text).replace(/\n*$/, "\n")}\`\`\``;
}

/** A carriage return in a fence would be none of the text that is shown. */
function visibleReturns(text: string): string {
  return text.replaceAll("\r", "\u240d");
}

/** The text after a fix whose edits do not overlap. */
export function applyEdits(text: string, fix: QuickFix): string {
  const edits = [...fix.edits].sort((left, right) => right.span.start - left.span.start);
  return edits.reduce(
    (result, { span, newText }) => result.slice(0, span.start) + newText + result.slice(span.end),
    text,
  );
}

function trapTable(traps: readonly RecordedTrap[]): string {
  const rows = traps.map((trap) => {
    const findings = trap.findings.length === 0 ? "nothing, it is right" : trap.findings.join(", ");
    return `| ${cell(trap.what)} | ${cell(findings)} |`;
  });
  return ["| written | reported |", "| --- | --- |", ...rows].join("\n");
}

function constraintTable(constraints: readonly RecordedConstraint[]): string {
  const rows = constraints.map(({ framework, field, constraint, code, outOfReach }) => {
    const known = code ?? outOfReach ?? "";
    return `| ${framework} | ${cell(field)} | ${cell(constraint)} | ${cell(known)} |`;
  });
  return [
    "| framework | field | demand | rule, or why a file cannot show it |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function fieldTable(fields: readonly FieldSpec[]): string {
  const rows = fields.map((field) => {
    const shown = field.yamlDefault === undefined ? "not in the shipped file" : JSON.stringify(field.yamlDefault);
    return `| ${cell(field.key)} | ${cell(field.type)} | ${cell(shown)} | ${rulesOn(field).join(", ")} |`;
  });
  return ["| key | type | default | rules |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

function trainingTable(): string {
  const rows = trainingFields.map((field) => {
    const layout = layoutIds.findLast((each) => field.paths[each] !== undefined);
    const path = layout === undefined ? "" : (field.paths[layout] ?? "");
    const shown = field.default === undefined ? "" : JSON.stringify(field.default);
    return `| ${cell(path)} | ${layout ?? ""} | ${cell(field.type)} | ${cell(shown)} |`;
  });
  return ["| key | layout | type | default |", "| --- | --- | --- | --- |", ...rows].join("\n");
}

/** The rules that judge a value of the field by the table alone. */
export function rulesOn(field: FieldSpec): readonly string[] {
  const rules = ["wrong-type"];
  if (field.type === "list[str]") rules.push("text-instead-of-list", "list-entry-not-string", "unquoted-pattern");
  if (field.range !== undefined) rules.push("out-of-range");
  if (field.allowed !== undefined) rules.push("unknown-value");
  if (field.reader === "nobody" || field.reader === "worker") rules.push("inert-key");
  return rules;
}

function cell(text: string): string {
  return escapeText(text).replaceAll("|", "\\|");
}

/** Stars and angle brackets would be read as Markdown. */
function escapeText(text: string): string {
  return text.replace(/[*_<>`[\]]/g, "\\$&");
}
