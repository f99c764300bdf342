import type { ConfigDocument } from "../configDocument.js";
import type { Diagnostic, QuickFix, Severity, TextSpan } from "../diagnostic.js";
import type { DocumentKind, EngineBlock } from "../recognise.js";

/** What a rule may look at: the whole file, and one engine block of it. */
export interface BlockContext {
  readonly path: string;
  readonly document: ConfigDocument;
  readonly kind: DocumentKind;
  readonly block: EngineBlock;
}

/** A rule that runs once per engine block. `code` is stable; `explanation` says what the framework does and why it matters. */
export interface BlockRule {
  readonly code: string;
  readonly explanation: string;
  check(context: BlockContext): readonly Finding[];
}

/** A diagnostic without its code, which the rule supplies. */
export interface Finding {
  readonly span: TextSpan;
  readonly severity: Severity;
  readonly message: string;
  readonly fixes?: readonly QuickFix[];
}

/** Completes a finding. */
export function diagnosticOf(code: string, finding: Finding): Diagnostic {
  return { span: finding.span, severity: finding.severity, code, message: finding.message, fixes: finding.fixes ?? [] };
}
