/** The two forms of an entry of `activation_offload_modules`: with `{*}`, or a glob per dot segment. */
export type PatternKind = "group" | "glob";

/** Something worth telling about one pattern, e.g. `IGNORED_SUFFIX`. Codes are stable. */
export interface PatternNote {
  readonly code: string;
  readonly message: string;
}

/** The code of a pattern that a preview did not come to: what it selects is not known. */
export const NOT_TRIED = "NOT_TRIED";

/** What one pattern of the list did; `matched` counts the entries that it added. */
export interface PatternResult {
  readonly pattern: string;
  readonly kind: PatternKind;
  readonly matched: number;
  readonly notes: readonly PatternNote[];
}

/**
 * One selected entry. A module listed twice has two rows: `index` is the row's own offload index, `effectiveIndex` the
 * index that the module runs with (its last one).
 */
export interface SelectedEntry {
  readonly name: string;
  readonly type: string | null;
  readonly index: number;
  readonly effectiveIndex: number;
  /** `effectiveIndex === depth - 1`: the framework never offloads the last index. */
  readonly staysOnDevice: boolean;
}

/** The error that the framework would raise, e.g. `ValueError` when nothing is selected. */
export interface FrameworkError {
  readonly type: "ValueError" | "TypeError";
  readonly message: string;
}

/** JSON of `offload-lens match`. */
export interface SelectionResult {
  readonly model: {
    readonly source: string;
    readonly exact: boolean;
    readonly modelType: string | null;
    readonly architecture: string | null;
    /** What the source could not know, in plain sentences; empty when exact. */
    readonly uncertain: readonly string[];
  };
  readonly patterns: readonly PatternResult[];
  readonly selected: readonly SelectedEntry[];
  readonly depth: number;
  readonly error: FrameworkError | null;
}

/** Whether every pattern of the list was tried. Else the selection is only the beginning of one. */
export function isWhole({ patterns }: SelectionResult): boolean {
  return patterns.at(-1)?.notes.some(({ code }) => code === NOT_TRIED) !== true;
}
