import type { QuickFix } from "../document/diagnostic.js";
import { replaceFix } from "../document/edits.js";
import { quoteText } from "../document/rawList.js";
import { type UnquotedPattern, unquotedPatterns } from "../patterns/patternList.js";
import type { BlockContext, BlockRule } from "../verl/blockRule.js";
import { writtenFields } from "../verl/writtenFields.js";
import { engineExample } from "./example.js";
import type { Finding } from "./rule.js";

const maxReported = 200;

/** `[model.layers.{*}]`, `- *.layers`: YAML takes the brace or the star for itself. */
export const unquotedPattern: BlockRule = {
  code: "unquoted-pattern",
  severities: ["error"],
  explanation:
    "In a YAML flow list a brace or bracket ends a plain text, and a leading star makes an alias, so the file does not load. Quotes make the pattern a text again.",
  example: engineExample("enable_async_activation_offload: true", "activation_offload_modules: [model.layers.{*}]"),
  check: (context) => {
    const patterns = patternsOf(context);
    return patterns.slice(0, maxReported).map((pattern) => findingOf(pattern, patterns));
  },
};

/** The patterns that the rule reports, for rules that would report the same places again. */
export function patternsOf(context: Pick<BlockContext, "document" | "block">): readonly UnquotedPattern[] {
  return writtenFields(context.block)
    .filter((written) => written.field?.type === "list[str]")
    .flatMap((written) => unquotedPatterns(context.document, written.entry.value));
}

/** One finding per pattern, each with a fix of its own and, of several, one for all. */
export function unquotedFindings(patterns: readonly UnquotedPattern[]): readonly Finding[] {
  return patterns.map((pattern) => findingOf(pattern, patterns));
}

function findingOf(pattern: UnquotedPattern, all: readonly UnquotedPattern[]): Finding {
  const reason = pattern.text.startsWith("*")
    ? "a leading * makes an alias in YAML"
    : "braces and brackets have a meaning of their own here";
  return {
    span: pattern.span,
    severity: "error",
    message: `The file does not load: ${pattern.text} must be quoted, because ${reason}.`,
    fixes: fixesFor(pattern, all),
  };
}

function fixesFor(pattern: UnquotedPattern, all: readonly UnquotedPattern[]): readonly QuickFix[] {
  const quoted = quotedText(pattern);
  const single = replaceFix(`Write ${quoted}`, pattern.span, quoted);
  if (all.length < 2 || all.length > maxReported) return [single];
  const edits = all.map((each) => ({ span: each.span, newText: quotedText(each) }));
  return [single, { title: `Quote all ${all.length} patterns`, edits }];
}

function quotedText(pattern: UnquotedPattern): string {
  const quoted = quoteText(pattern.text);
  return pattern.place === "value" ? `[${quoted}]` : quoted;
}
