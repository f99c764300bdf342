/** What stands at a place of a YAML text. */
export type TokenKind =
  | "stream-end"
  | "directive"
  | "document-start"
  | "document-end"
  | "block-sequence-start"
  | "block-mapping-start"
  | "block-end"
  | "flow-sequence-start"
  | "flow-mapping-start"
  | "flow-sequence-end"
  | "flow-mapping-end"
  | "block-entry"
  | "flow-entry"
  | "key"
  | "value"
  | "alias"
  | "anchor"
  | "tag"
  | "scalar";

/** Offsets into the text, end exclusive; marks that nobody wrote (`block-end`) are empty. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
  /** The value of a scalar; the name of an anchor, an alias or a directive; the suffix of a tag. */
  readonly text: string;
  /** Of a tag, and of a `%TAG` directive; absent for `!<…>` and a lone `!`. */
  readonly handle?: string;
  readonly style?: ScalarStyle;
}

export type ScalarStyle = "plain" | "quoted" | "block";
