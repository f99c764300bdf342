import type { LayoutId } from "../veomni/layout.js";
import { migrateDocument, migrationDialectOf } from "./migrateDocument.js";
import { isHomelessProblem, type Migration, type MigrationTarget, migrationTargets } from "./migration.js";

/** One target of a file, and what a conversion to it would do, in words for a list. */
export interface MigrationChoice {
  readonly to: MigrationTarget;
  /** `current`: the file is there and nothing has to be corrected. `refused`: keys would be lost, or something stands in the way. */
  readonly state: "current" | "possible" | "refused";
  readonly description: string;
}

/** Every target that a file's dialect has, in the order of time; nothing for files that are none of ours. */
export function migrationChoices(path: string, text: string, layout?: LayoutId): readonly MigrationChoice[] {
  const dialect = migrationDialectOf(path, text);
  if (dialect === undefined) return [];
  const targets = migrationTargets.filter((to) => (to === "verl") === (dialect === "verl"));
  return targets.map((to) => choiceOf(path, text, to, layout));
}

function choiceOf(path: string, text: string, to: MigrationTarget, layout: LayoutId | undefined): MigrationChoice {
  const outcome = migrateDocument(path, text, to, layout === undefined ? {} : { layout });
  if (!outcome.ok) {
    const { problem } = outcome;
    const count = isHomelessProblem(problem) ? problem.homeless.length : 0;
    return { to, state: "refused", description: count === 0 ? problem.message : `${counted(count)} would be lost` };
  }
  const isCurrent = outcome.value.from === to && outcome.value.edits.length === 0;
  return { to, state: isCurrent ? "current" : "possible", description: describe(outcome.value) };
}

function describe({ from, to, edits, homeless, changed }: Migration): string {
  if (edits.length === 0) return from === to ? "nothing to do" : "every key has the same place";
  const lines = edits.reduce((sum, { newText }) => sum + (newText.match(/\n|[^\n]$/g)?.length ?? 0), 0);
  return [
    from === to ? "corrects wrong keys" : `${lines} ${lines === 1 ? "line changes" : "lines change"}`,
    ...(changed.length === 0 ? [] : [`${changed.length} ${changed.length === 1 ? "value" : "values"} adapted`]),
    ...(homeless.length === 0 ? [] : [`${counted(homeless.length)} without a place become comments`]),
  ].join(", ");
}

function counted(keys: number): string {
  return `${keys} ${keys === 1 ? "key" : "keys"}`;
}
