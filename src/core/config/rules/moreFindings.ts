import type { Diagnostic, Severity } from "../document/diagnostic.js";
import { engineExample } from "./example.js";
import { diagnosticOf, type RuleFacts, type RuleOptions } from "./rule.js";

/** The last finding of a file that has too many of them. */
export const moreFindingsFacts: RuleFacts = {
  code: "more-findings",
  severities: ["information"],
  explanation:
    "Of one file at most 1,000 findings are listed, errors before the rest. Such files are mostly generated, or meant for another framework.",
  example: {
    ...engineExample("seed: a", "fsdp_size: b"),
    options: { mostFindings: 1 },
    right: engineExample("seed: a").text,
  },
};

const usualMost = 1_000;
const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, information: 2, hint: 3 };

/**
 * The findings of one file in text order, or as many of them as are listed, the gravest first, and one at the end that counts the
 * others: no file makes a report of megabytes.
 */
export function boundedFindings(found: readonly Diagnostic[], { mostFindings = usualMost }: RuleOptions): Diagnostic[] {
  if (found.length <= mostFindings) return [...found];
  const byGravity = [...found].sort((left, right) => ranks[left.severity] - ranks[right.severity]);
  const listed = new Set(byGravity.slice(0, mostFindings));
  const others = found.filter((each) => !listed.has(each));
  const [first] = others;
  const count = others.length.toLocaleString("en-US");
  const message = `${count} more ${others.length === 1 ? "finding" : "findings"} in this file, from here on, ${others.length === 1 ? "is" : "are"} not listed.`;
  const last = first && diagnosticOf(moreFindingsFacts.code, { span: first.span, severity: "information", message });
  const kept = found.filter((each) => listed.has(each));
  return last === undefined ? kept : [...kept, last].sort((left, right) => left.span.start - right.span.start);
}
