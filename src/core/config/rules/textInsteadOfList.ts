import { shownWord } from "../../base/shownWord.js";
import { isDeferred, textOf } from "../document/configNode.js";
import type { Severity } from "../document/diagnostic.js";
import { replaceFix } from "../document/edits.js";
import { intendedText, quoteText, readRawList } from "../document/rawList.js";
import type { Written } from "./field.js";
import type { Finding } from "./rule.js";

/**
 * The finding on a text where a list of texts belongs: Python iterates it character by character. `isPatterns`: the list selects
 * modules, so characters that match none are fatal when the list is read.
 */
export function textFindings(
  { path, entry, field }: Written,
  isPatterns: boolean,
  severityOf: (isFatal: boolean) => Severity,
): readonly Finding[] {
  const text = textOf(entry.value);
  if (field?.type !== "list[str]" || text === undefined || isDeferred(entry.value)) return [];
  const list = `[${meantPatterns(text).map(quoteText).join(", ")}]`;
  return [
    {
      span: entry.value.span,
      severity: severityOf(isPatterns && text !== "" && !text.includes("*")),
      message: `${path} must be a list. ${consequence(isPatterns, text)}`,
      fixes: entry.value.kind === "scalar" ? [replaceFix(`Write ${shownWord(list)}`, entry.value.span, list)] : [],
    },
  ];
}

function consequence(isPatterns: boolean, text: string): string {
  if (text === "") return "An empty text counts as an empty list.";
  if (!isPatterns) return "A text is taken apart into single characters.";
  return text.includes("*")
    ? "This text is taken apart into single characters, and its * selects the root and every top-level module."
    : "This text is taken apart into single characters, none of which matches a module.";
}

/** What the author meant: a list inside quotes, several patterns with commas, or one pattern. */
export function meantPatterns(text: string): readonly string[] {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  const raw = readRawList(trimmed, 0);
  if (raw !== undefined && raw.end === trimmed.length) return raw.entries.map(intendedText);
  return trimmed
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
