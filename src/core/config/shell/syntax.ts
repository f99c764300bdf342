import type { TextSpan } from "../document/diagnostic.js";
import type { Quoting } from "./tracedText.js";

/** What `${name…}` does when the variable is unset or empty, as far as it can be followed. */
export type ParameterOperator = ":-" | "-" | ":=" | "=" | ":+" | "+" | ":?" | "?";

/** One part of a word as written. Offsets are into the source. */
export type Segment =
  | {
      readonly kind: "text";
      readonly text: string;
      readonly start: number;
      readonly end: number;
      readonly quoting: Quoting;
    }
  /** A quote character that the shell removes. */
  | { readonly kind: "quote"; readonly character: string; readonly start: number; readonly end: number }
  | {
      readonly kind: "parameter";
      readonly name: string;
      /** `@`, `*`, an index or a key, as written between the brackets. */
      readonly subscript?: string;
      readonly operator?: ParameterOperator;
      readonly operand: readonly Segment[];
      /** `${NAME}`, not `$NAME`. */
      readonly braced: boolean;
      readonly quoted: boolean;
      readonly start: number;
      readonly end: number;
    }
  /** Output of a command, arithmetic, an expansion that is not followed. */
  | {
      readonly kind: "unknown";
      readonly quoted: boolean;
      readonly start: number;
      readonly end: number;
      readonly commands?: SubstitutedCommands;
    }
  /** `${x.y}`: bash stops with "bad substitution". */
  | { readonly kind: "bad"; readonly start: number; readonly end: number };

/** The commands in `$( … )`, `<( … )` or backticks, which a shell of its own runs. */
export interface SubstitutedCommands {
  readonly text: string;
  readonly span: TextSpan;
  /** Backticks: a backslash before one of these is taken away first. */
  readonly escapable?: string;
}

/** What a command reads from a here-document or a here-string; the word is there once the lines below have been read. */
export interface ShellInput {
  word?: Word;
}

/** A word as written. */
export interface Word {
  readonly segments: readonly Segment[];
  readonly start: number;
  readonly end: number;
}

/** `NAME=…`, `NAME+=…` or `NAME=( … )`. */
export interface Assignment {
  readonly name: string;
  readonly nameSpan: TextSpan;
  /** Present for `NAME[…]=`. */
  readonly subscript?: string;
  readonly appends: boolean;
  readonly value: { readonly kind: "scalar"; readonly word: Word } | { readonly kind: "array"; readonly words: Word[] };
}

/** A node of the syntax tree. */
export type Node =
  | {
      readonly kind: "simple";
      readonly assignments: readonly Assignment[];
      readonly words: readonly Word[];
      readonly span: TextSpan;
      readonly input?: ShellInput;
      /** The file that its output goes to. */
      readonly output?: Word;
    }
  /** `{ … }`, `( … )` or one part of a pipeline; assignments of a subshell stay inside. */
  | { readonly kind: "group"; readonly subshell: boolean; readonly body: readonly Node[] }
  /** One of several bodies runs; none may run unless `exhaustive`. */
  | { readonly kind: "choice"; readonly branches: readonly (readonly Node[])[]; readonly exhaustive: boolean }
  | {
      readonly kind: "loop";
      readonly variable?: string;
      readonly words: readonly Word[];
      readonly body: readonly Node[];
    }
  /** `(( … ))`: the variables that it changes, to values that are not computed. */
  | { readonly kind: "arithmetic"; readonly changes: readonly string[] }
  | { readonly kind: "function"; readonly name: string; readonly body: readonly Node[] };
