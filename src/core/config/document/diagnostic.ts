/** Error: the framework fails. Warning: it silently does something else than written. Information and hint: the rest. */
export type Severity = "error" | "warning" | "information" | "hint";

/** 0-based UTF-16 offsets into the text, end exclusive. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Replaces `span` by `newText`. */
export interface TextEdit {
  readonly span: TextSpan;
  readonly newText: string;
}

/** One undoable change that settles a diagnostic. */
export interface QuickFix {
  readonly title: string;
  readonly edits: readonly TextEdit[];
  /** The edits change nothing but line ends, all of them to line feeds; editors have a command of their own for that. */
  readonly convertsLineEnds?: true;
}

/** What a rule found. `code` is the rule's stable code in kebab case (`unknown-key`). */
export interface Diagnostic {
  readonly span: TextSpan;
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly fixes: readonly QuickFix[];
}
