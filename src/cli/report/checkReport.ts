import { counted } from "../../core/base/quantities.js";
import type { Severity } from "../../core/config/document/diagnostic.js";
import { linesOfText } from "./terminalText.js";

/** A place in a file: 1-based, end exclusive, columns in UTF-16 units. */
export interface TextRange {
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/** One element of the JSON list of `check`. */
export interface CheckFinding extends TextRange {
  readonly file: string;
  readonly dialect: string;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly fixes: readonly {
    readonly title: string;
    readonly edits: readonly (TextRange & { readonly newText: string })[];
  }[];
}

/** A recognised file with what was found in it. */
export interface CheckedFile {
  readonly file: string;
  readonly findings: readonly CheckFinding[];
}

/** The report for people: one aligned line per finding, its fixes below, a summary at the end. */
export function renderCheckReport(files: readonly CheckedFile[]): string {
  const findings = files.flatMap((file) => file.findings);
  const placeWidth = widest(findings.map(placeOf));
  const severityWidth = widest(findings.map((finding) => finding.severity));
  const codeWidth = widest(findings.map((finding) => finding.code));
  const lines = findings.flatMap((finding) => [
    [
      placeOf(finding).padEnd(placeWidth),
      finding.severity.padEnd(severityWidth),
      finding.code.padEnd(codeWidth),
      finding.message,
    ].join("  "),
    ...finding.fixes.map((fix) => `${" ".repeat(4)}fix: ${fix.title}`),
  ]);
  if (lines.length > 0) lines.push("");
  return `${linesOfText([...lines, summaryOf(files, findings)])}\n`;
}

function placeOf(finding: CheckFinding): string {
  return `${finding.file}:${finding.line}:${finding.column}`;
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, text.length), 0);
}

function summaryOf(files: readonly CheckedFile[], findings: readonly CheckFinding[]): string {
  const checked = counted(files.length, "file");
  if (files.length === 0) return "No VeOmni configuration found.";
  const kinds = [
    ["error", "error"],
    ["warning", "warning"],
    ["information", "note"],
    ["hint", "hint"],
  ] as const;
  const parts = kinds.flatMap(([severity, word]) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? [] : [counted(count, word)];
  });
  return `${checked} checked: ${parts.length === 0 ? "no findings" : parts.join(", ")}.`;
}
