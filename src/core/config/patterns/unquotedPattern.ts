import { shownWord } from "../../base/shownWord.js";
import type { ConfigDocument } from "../document/configDocument.js";
import type { QuickFix } from "../document/diagnostic.js";
import { replaceFix } from "../document/edits.js";
import { quoteText } from "../document/rawList.js";
import type { Written } from "../rules/field.js";
import type { Finding } from "../rules/rule.js";
import { type UnquotedPattern, unquotedPatterns } from "./patternList.js";

/** Of more patterns than this no fix writes all. */
const mostInOneFix = 200;

/** The patterns without quotes in the lists of texts among some keys. */
export function unquotedIn(document: ConfigDocument, written: readonly Written[]): readonly UnquotedPattern[] {
  return written
    .filter(({ field }) => field?.type === "list[str]")
    .flatMap(({ entry }) => unquotedPatterns(document, entry.value));
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
    message: `The file does not load: ${shownWord(pattern.text)} must be quoted, because ${reason}.`,
    fixes: fixesFor(pattern, all),
  };
}

function fixesFor(pattern: UnquotedPattern, all: readonly UnquotedPattern[]): readonly QuickFix[] {
  const quoted = quotedText(pattern);
  const single = replaceFix(`Write ${shownWord(quoted)}`, pattern.span, quoted);
  if (all.length < 2 || all.length > mostInOneFix) return [single];
  const edits = all.map((each) => ({ span: each.span, newText: quotedText(each) }));
  return [single, { title: `Quote all ${all.length} patterns`, edits }];
}

function quotedText(pattern: UnquotedPattern): string {
  const quoted = quoteText(pattern.text);
  return pattern.place === "value" ? `[${quoted}]` : quoted;
}
