import type { Problem } from "../../core/base/outcome.js";
import { counted } from "../../core/base/quantities.js";
import { checkDocument } from "../../core/config/check.js";
import { LineIndex } from "../../core/config/document/position.js";
import { isBackwardsProblem, type Migration } from "../../core/config/migrate/migration.js";
import { isLayoutId } from "../../core/config/veomni/layout.js";
import type { TextRange } from "./checkReport.js";

/** What `migrate --json` prints; positions are 1-based, ends exclusive. */
export interface MigrateResult {
  readonly from: string;
  readonly to: string;
  readonly edits: readonly (TextRange & { readonly newText: string })[];
  readonly homeless: readonly string[];
}

/** The result of a conversion of `text`. */
export function migrateResult(text: string, { from, to, edits, homeless }: Migration): MigrateResult {
  const lines = new LineIndex(text);
  return {
    from,
    to,
    edits: edits.map(({ span, newText }) => {
      const start = lines.positionAt(span.start);
      const end = lines.positionAt(span.end);
      return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column, newText };
    }),
    homeless: homeless.map(({ key }) => key),
  };
}

/** The result of a conversion to an older layout; other problems have none. */
export function refusedResult(problem: Problem): MigrateResult | undefined {
  if (!isBackwardsProblem(problem)) return undefined;
  const { from, to, homeless } = problem;
  return { from, to, edits: [], homeless: homeless.map(({ key }) => key) };
}

/** One line per key of a refusal, with the reason. */
export function refusalLines(problem: Problem): readonly string[] {
  return isBackwardsProblem(problem) ? problem.homeless.map(({ key, why }) => `  ${key}: ${why}`) : [];
}

/** What is worth knowing about a conversion beside its difference. */
export function migrationNotes(file: string, path: string, migration: Migration): readonly string[] {
  const { from, to, homeless, changed } = migration;
  const target = to === "verl" ? "verl" : `the layout ${to}`;
  return [
    ...changed.map(({ key, was, now, why }) =>
      was === "" ? `${key}: ${now} is written out. ${why}` : `${key}: ${was} became ${now}. ${why}`,
    ),
    ...homeless.map(({ key, why }) => `${key}: no place in ${target}. ${why}`),
    ...nothingToDo(file, from, to, migration),
    ...errorsLeft(file, path, migration),
  ];
}

function nothingToDo(file: string, from: string, to: string, { edits }: Migration): readonly string[] {
  if (edits.length > 0) return [];
  if (to === "verl") return [`${file}: no key that verl dropped.`];
  return [from === to ? `${file} is in the layout ${to} already.` : `${file}: every key has the same place in ${to}.`];
}

function errorsLeft(file: string, path: string, { to, text }: Migration): readonly string[] {
  const options = isLayoutId(to) ? { layout: to } : {};
  const found = checkDocument(path, text, options)?.diagnostics ?? [];
  const errors = found.filter(({ severity }) => severity === "error").length;
  if (errors === 0) return [];
  return [`The result has ${counted(errors, "error")} that no move settles; see offload-lens check ${file}.`];
}
