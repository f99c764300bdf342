import type { KnownModels } from "../../modules/families/familyKernels.js";
import type { ConfigDocument } from "../document/configDocument.js";
import type { Diagnostic, QuickFix, Severity, TextSpan } from "../document/diagnostic.js";
import type { EditedFile } from "../document/edits.js";
import type { Launch } from "../document/launch.js";

/** What a check knows besides the text. */
export interface RuleOptions {
  /** Host memory of the machine that trains, in bytes; without it nothing is compared with it. */
  readonly hostMemoryBytes?: number;
  /** What is known of the models that the file names; others are known by their names. */
  readonly models?: KnownModels;
  /** Commands of scripts at hand that start YAML files of VeOmni, this one or others. */
  readonly launches?: readonly Launch[];
  /** How many findings of one file are listed; 1,000 where nothing else is said. */
  readonly mostFindings?: number;
}

/** A whole file in which a rule finds something; `path` where the name decides how it is read. */
export interface RuleExample {
  readonly text: string;
  readonly path?: string;
  readonly options?: RuleOptions;
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

/** A diagnostic without its code, which the rule supplies. */
export interface Finding {
  readonly span: TextSpan;
  readonly severity: Severity;
  readonly message: string;
  readonly fixes?: readonly QuickFix[];
  /** The key itself is refused: what else could be said of it does not count. */
  readonly refusesKey?: true;
  /** The fixes are written for the carrier already; elsewhere those for YAML are looked through before they reach a command line. */
  readonly fixesFitCarrier?: true;
}

/** What every rule may look at; each framework adds what it has read. */
export interface RuleContext extends EditedFile {
  readonly document: ConfigDocument;
  readonly options?: RuleOptions;
}

/** A rule with what it finds in a context. */
export interface Rule<Context> extends RuleFacts {
  check(context: Context): readonly Finding[];
}

/** The findings of some rules, with their codes. */
export function runRules<Context>(rules: readonly Rule<Context>[], context: Context): readonly Diagnostic[] {
  return rules.flatMap((rule) => rule.check(context).map((finding) => diagnosticOf(rule.code, finding)));
}

/** Completes a finding. */
export function diagnosticOf(code: string, finding: Finding): Diagnostic {
  return { span: finding.span, severity: finding.severity, code, message: finding.message, fixes: finding.fixes ?? [] };
}
