import type { ConfigDocument } from "../document/configDocument.js";
import type { Diagnostic, QuickFix, Severity, TextSpan } from "../document/diagnostic.js";
import type { EditedFile } from "../document/edits.js";
import type { PatternList } from "../patterns/rules/patternList.js";
import type { LayoutId } from "../veomni/layout.js";
import type { DocumentKind, EngineBlock } from "../verl/recognise.js";

/** What a check knows besides the text. */
export interface CheckOptions {
  /** Host memory of the machine that trains, in bytes; without it nothing is compared with it. */
  readonly hostMemoryBytes?: number;
  /** The layout of VeOmni's own training YAML, where the file does not pin one itself. */
  readonly layout?: LayoutId;
  /** How many findings of one file are listed; 1,000 where nothing else is said. */
  readonly mostFindings?: number;
}

/** What a rule may look at: the whole file, and one engine block of it. */
export interface BlockContext extends EditedFile {
  readonly document: ConfigDocument;
  readonly kind: DocumentKind;
  readonly block: EngineBlock;
  readonly options?: CheckOptions;
  /** The block's pattern list where it is not YAML; absent: it is read from the block. */
  readonly patternList?: PatternList;
}

/** A whole file in which a rule finds something; `path` where the name decides how it is read. */
export interface RuleExample {
  readonly text: string;
  readonly path?: string;
  readonly options?: CheckOptions;
  /** The same file put right, of rules that leave that to the reader. */
  readonly right?: string;
}

/** What the catalogue says about a rule. */
export interface RuleFacts {
  /** Stable, in kebab case. */
  readonly code: string;
  /** Every severity that a finding can have, the usual one first. */
  readonly severities: readonly Severity[];
  /** What the framework does and why it matters. */
  readonly explanation: string;
  readonly example: RuleExample;
}

/** A rule that runs once per engine block. */
export interface BlockRule extends RuleFacts {
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
