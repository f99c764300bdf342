import type { TextSpan } from "../document/diagnostic.js";

/** One `${…}` of OmegaConf inside a string. Spans are offsets into the text that was read. */
export interface Interpolation {
  readonly kind: "node" | "resolver";
  /** Node: the path with its leading dots (`.sibling`, `a.b`). Resolver: its name (`oc.select`). */
  readonly target: string;
  /** Arguments of a resolver as written, trimmed; empty for a node. */
  readonly args: readonly string[];
  /** Interpolations inside this one, outermost first. */
  readonly nested: readonly Interpolation[];
  readonly span: TextSpan;
}

/**
 * Stands for a stretch of text that cannot be known before the program runs (output of a command, a variable of the
 * environment). Readers of shell text put one such character where the stretch would be; the grammar below treats it
 * as part of an unquoted or quoted string whose value is `unknown`.
 */
export const UNKNOWN_MARK = "\uFFFC";

/** What a function call of the override grammar stands for. */
export type FunctionRole = "cast" | "sweep" | "other";

/** One argument of a function call; `name` is present for `name=value`. */
export interface FunctionArgument {
  readonly name?: string;
  readonly value: HydraValue;
}

/** One pair of a dictionary, with the key as text. */
export interface DictEntry {
  readonly key: string;
  readonly keySpan: TextSpan;
  readonly value: HydraValue;
}

/** A value of the override grammar. Spans are offsets into the override text that was parsed. */
export type HydraValue =
  | { readonly kind: "null"; readonly span: TextSpan }
  | { readonly kind: "bool"; readonly value: boolean; readonly span: TextSpan }
  /** `text` is as written, because integers have no upper bound and `value` does. */
  | { readonly kind: "int"; readonly value: number; readonly text: string; readonly span: TextSpan }
  | { readonly kind: "float"; readonly value: number; readonly text: string; readonly span: TextSpan }
  | {
      readonly kind: "string";
      readonly text: string;
      /** Present when quotes reached the program. */
      readonly quote?: "single" | "double";
      readonly interpolations: readonly Interpolation[];
      readonly span: TextSpan;
    }
  | { readonly kind: "list"; readonly items: readonly HydraValue[]; readonly span: TextSpan }
  | { readonly kind: "dict"; readonly entries: readonly DictEntry[]; readonly span: TextSpan }
  | {
      readonly kind: "function";
      readonly name: string;
      readonly role: FunctionRole;
      readonly args: readonly FunctionArgument[];
      readonly span: TextSpan;
    }
  /** `a,b` without brackets: one run per item. */
  | { readonly kind: "sweep"; readonly items: readonly HydraValue[]; readonly span: TextSpan }
  /** `text` holds what is known of it, with the marks in place of the rest. */
  | { readonly kind: "unknown"; readonly text?: string; readonly span: TextSpan };

/** Why the override grammar refuses a text. */
export type HydraErrorCode =
  | "KEY_MALFORMED"
  | "EQUALS_MISSING"
  | "CHARACTER_NOT_ALLOWED"
  | "BRACE_UNQUOTED"
  | "BRACKET_UNQUOTED"
  | "PARENTHESIS_UNQUOTED"
  | "EQUALS_IN_VALUE"
  | "QUOTE_UNCLOSED"
  | "TEXT_BESIDE_QUOTES"
  | "LIST_UNCLOSED"
  | "DICT_UNCLOSED"
  | "CALL_UNCLOSED"
  | "ELEMENT_MISSING"
  | "COLON_MISSING"
  | "FUNCTION_UNKNOWN"
  | "POSITIONAL_AFTER_NAMED"
  | "NESTING_TOO_DEEP"
  | "SWEEP_IN_SINGLE_RUN"
  | "LIST_INDEX_IN_KEY"
  | "INTERPOLATION_UNCLOSED"
  | "INTERPOLATION_MALFORMED";

/** A refusal, with the place in the override text. */
export interface HydraError {
  readonly code: HydraErrorCode;
  readonly message: string;
  readonly span: TextSpan;
}

/** `key=` set, `+key=` add, `++key=` add or set, `~key` delete. */
export type HydraOperator = "set" | "add" | "addOrSet" | "delete";

/** The left side of an override. */
export interface HydraKey {
  readonly operator: HydraOperator;
  /** Dotted path, or a group with slashes. */
  readonly path: string;
  /** What follows `@`. */
  readonly package?: string;
  /** Without operator, with package. */
  readonly span: TextSpan;
}

/** Says the value in the words of the table in the documentation; for messages. */
export function describeValue(value: HydraValue): string {
  switch (value.kind) {
    case "null":
      return "null";
    case "bool":
      return value.value ? "true" : "false";
    case "int":
    case "float":
      return value.text;
    case "string":
      return JSON.stringify(value.text);
    case "list":
      return `[${value.items.map(describeValue).join(", ")}]`;
    case "dict":
      return `{${value.entries.map((entry) => `${entry.key}: ${describeValue(entry.value)}`).join(", ")}}`;
    case "function":
      return `${value.name}(…)`;
    case "sweep":
      return `a sweep over ${value.items.map(describeValue).join(", ")}`;
    case "unknown":
      return "a value that is known only at run time";
  }
}

/** True when both values are the same data; spans and quotes do not count. */
export function sameValue(a: HydraValue, b: HydraValue): boolean {
  return a.kind === b.kind && describeValue(a) === describeValue(b);
}
