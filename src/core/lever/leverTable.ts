import type { Trend } from "../base/noise.js";
import type { TextEdit, TextSpan } from "../config/document/diagnostic.js";
import type { KeyValue } from "../config/write/keyEdit.js";
import type { StepPhaseName } from "../profile/result.js";

export type LeverValue = KeyValue | readonly string[];

/** One key of the file with another value, simulated. */
export interface Lever {
  /** Dotted, as the file has it. */
  readonly key: string;
  readonly value: LeverValue;
  readonly peakBytesAfter: number;
  readonly phaseAfter: StepPhaseName | undefined;
  /** Of the same work as the block's own step; both are simulated steps. */
  readonly stepMsAfter: number;
  /** Of the time of a step: `unclear` where the ranges of the two touch. */
  readonly stepTrend: Trend;
  readonly ranksAfter: number;
  readonly edit: TextEdit;
}

/** What every single key of a block would do. */
export interface LeverTable {
  readonly deviceName: string;
  readonly peakBytes: number;
  /** Where the peak is; `undefined` for the stack alone. */
  readonly phase: StepPhaseName | undefined;
  readonly stepMs: number;
  readonly ranks: number;
  readonly stackOnly: string | undefined;
  /** Why no lever may be written: a figure that decides is known to nobody. */
  readonly unsure: string | undefined;
  /** Those that lower the peak, best first. */
  readonly levers: readonly Lever[];
  /** Those that move the peak up, or the step alone; by rising time. */
  readonly others: readonly Lever[];
  /** Keys that people expect a lower peak of, checked with this value: the step is the same. */
  readonly withoutEffect: readonly { readonly key: string; readonly value: KeyValue }[];
  /** Keys that the block sets and that do not do what people expect. */
  readonly findings: readonly LeverFinding[];
}

/** A key that is set and does not do what people expect of it, with how much that is. */
export interface LeverFinding {
  readonly key: string;
  /** The entry in the text. */
  readonly span: TextSpan;
  /** Short, for the end of a line. */
  readonly label: string;
  readonly message: string;
}
