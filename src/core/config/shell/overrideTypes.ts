import type { QuickFix, TextSpan } from "../document/diagnostic.js";
import type { HydraErrorCode, HydraOperator, HydraValue } from "../hydra/value.js";

/** What the shell, or the habit of another tool, did to a value without saying so. */
export type TrapCode =
  | "quotes-lost"
  | "string-instead-of-list"
  | "word-split"
  | "brace-expansion"
  | "truthy-word"
  | "bad-substitution"
  | "cut-off";

/** A trap with the change of the original text that gets out of it; no fix where the value comes from several places. */
export interface Trap {
  readonly code: TrapCode;
  readonly message: string;
  readonly fix?: QuickFix;
}

/** Why the program refuses a value; `BAD_SUBSTITUTION` means that bash refuses the whole command before. */
export interface OverrideError {
  readonly code: HydraErrorCode | "BAD_SUBSTITUTION";
  readonly message: string;
  readonly span: TextSpan;
  /** Quotes or brackets that make the text acceptable. */
  readonly fix?: QuickFix;
}

/** A stretch of text that holds a value, with the shell's quotes around it; those are inside the span only for `none`. */
export interface WritableValue {
  readonly span: TextSpan;
  readonly quotes: "none" | "single" | "double";
}

/** What a key expects, as far as the traps care. */
export type Expectation = "list" | "bool" | "other";

/** One setting as a command line gives it. All spans are offsets into the original text, also those inside `value`. */
export interface Override {
  readonly dialect: "verl" | "veomni";
  /** Dotted path (a group for `group@package=`); for VeOmni without the dashes. */
  readonly keyPath: string;
  /** What follows `@` in the key. */
  readonly package?: string;
  readonly operator: HydraOperator | "flag";
  /** Absent for `~key` and when `error` says why. A bare flag of VeOmni is `true`, its other values are text. */
  readonly value?: HydraValue;
  readonly error?: OverrideError;
  readonly keySpan: TextSpan;
  /** From behind the equals sign to the end as written, with quotes of the shell; empty for `~key` and bare flags. */
  readonly valueSpan: TextSpan;
  readonly trap?: Trap;
  /** Present when the whole value stands in one piece of the text that may be edited. */
  readonly writable?: WritableValue;
  /** Index of the call in the file; settings of one call belong together, later ones win. */
  readonly call: number;
  /** The call is verl's own trainer with its shipped config and known to the last word. */
  readonly isOfWholeCall?: true;
  /** The trainer whose shipped configuration the call composes with nothing but its words. */
  readonly composes?: "ppo" | "sft";
  /** It is listed in documentation without a command, so nothing is known about what stands beside it. */
  readonly isOfExcerpt?: true;
  /** The task of VeOmni that the call starts, where it is written. */
  readonly task?: string;
  /** Present when the setting is one of several that depend on a branch of the script. */
  readonly alternative?: number;
  /** A default such as `${V:-8}` was taken; the environment may say otherwise. */
  readonly assumesDefault: boolean;
}

/** The keys that hold lists in verl's VeOmni engine block; everything else is left to the field table. */
const LIST_KEYS = new Set(["activation_offload_modules", "basic_modules"]);

/** What is known about a key without a field table. */
export function expectByName(keyPath: string): Expectation | undefined {
  return LIST_KEYS.has(keyPath.slice(keyPath.lastIndexOf(".") + 1)) ? "list" : undefined;
}
