import type { Problem } from "../../base/outcome.js";
import type { TextEdit } from "../document/diagnostic.js";
import { type LayoutId, layoutIds } from "../veomni/layout.js";

/** What a file can be converted to: a layout of VeOmni's training YAML, or the keys of today's verl. */
export type MigrationTarget = LayoutId | "verl";

/** Every target, the layouts oldest first. */
export const migrationTargets: readonly MigrationTarget[] = [...layoutIds, "verl"];

/** True for the id of a target. */
export function isMigrationTarget(text: string): text is MigrationTarget {
  return (migrationTargets as readonly string[]).includes(text);
}

/** A key that has no place in the target. */
export interface HomelessKey {
  /** Dotted path as the file writes it. */
  readonly key: string;
  readonly why: string;
}

/** A value that the target refuses, and what took its place. */
export interface ChangedValue {
  /** Dotted path as the file wrote it. */
  readonly key: string;
  /** Empty for a default that had to be written out. */
  readonly was: string;
  readonly now: string;
  readonly why: string;
}

/** A conversion of one file. */
export interface Migration {
  readonly from: MigrationTarget;
  readonly to: MigrationTarget;
  /** The whole text afterwards. */
  readonly text: string;
  /** The same as edits of whole lines, in text order, not touching each other; none when there is nothing to do. */
  readonly edits: readonly TextEdit[];
  /** Keys that became comments, because the target has no place for them. */
  readonly homeless: readonly HomelessKey[];
  readonly changed: readonly ChangedValue[];
}

/** A conversion without its edits: those depend on the line breaks that the file is written with. */
export type ConvertedText = Omit<Migration, "edits">;

/** Why a conversion to an older layout is refused: `MIGRATION_BACKWARDS` when every key of the file would have a place there. */
export interface BackwardsProblem extends Problem {
  readonly code: "MIGRATION_HOMELESS" | "MIGRATION_BACKWARDS";
  readonly from: MigrationTarget;
  readonly to: MigrationTarget;
  readonly homeless: readonly HomelessKey[];
}

/** The refusal of a conversion to an older layout, with the keys of the file that have no place there. */
export function backwardsProblem(
  from: MigrationTarget,
  to: MigrationTarget,
  homeless: readonly HomelessKey[],
): BackwardsProblem {
  if (homeless.length === 0) {
    return {
      code: "MIGRATION_BACKWARDS",
      message: `The layout ${to} is older than ${from}, and files are converted forwards only.`,
      cause: "The file has no key without a place there, but an older VeOmni may mean something else by the same key.",
      nextStep: "Take the file as it was before it was converted; nothing was changed.",
      from,
      to,
      homeless,
    };
  }
  const shown = homeless.slice(0, 20).map(({ key }) => key);
  const more = homeless.length > shown.length ? ` and ${homeless.length - shown.length} more` : "";
  return {
    code: "MIGRATION_HOMELESS",
    message: `The layout ${to} has no place for ${shown.join(", ")}${more}.`,
    cause: `It is older than the layout ${from}.`,
    nextStep: "Remove these keys if the older VeOmni is to run without them; nothing was changed.",
    from,
    to,
    homeless,
  };
}

/** True for the refusal of a conversion to an older layout. */
export function isBackwardsProblem(problem: Problem): problem is BackwardsProblem {
  return problem.code === "MIGRATION_HOMELESS" || problem.code === "MIGRATION_BACKWARDS";
}
