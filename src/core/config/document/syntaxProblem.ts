import type { TextSpan } from "./diagnostic.js";

/**
 * Something that a YAML loader would refuse. `code` is the lenient parser's own (`BAD_ALIAS`), or one of ours; the
 * message ends without a full stop.
 */
export interface SyntaxProblem {
  readonly code: string;
  readonly message: string;
  readonly span: TextSpan;
}
