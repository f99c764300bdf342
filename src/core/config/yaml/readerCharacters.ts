import type { Refused } from "./composeYaml.js";

/** Everything that PyYAML's `Reader.NON_PRINTABLE` matches, surrogates without their other half included. */
const refusedCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are looked for
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Each character that PyYAML refuses before it reads a line, at most `limit` of them. */
export function charactersRefused(text: string, limit: number): readonly Refused[] {
  const found: Refused[] = [];
  for (const match of text.matchAll(refusedCharacters)) {
    if (found.length >= limit) break;
    const code = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    const message = `The character U+${code} may stand nowhere in YAML, not even in a comment. Remove it, or write it as an escape in double quotes`;
    found.push({ code: "BAD_CHARACTER", message, start: match.index, end: match.index + 1 });
  }
  return found;
}

/** The text with harmless letters in the places of those characters, so that the rest can be read. */
export function withoutRefused(text: string): string {
  return text.replace(refusedCharacters, "\ufffd");
}
