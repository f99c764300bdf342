/** Present in Node, in browsers and in the editor, but in no library that TypeScript loads for core. */
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly fatal: boolean },
) => { decode(bytes: Uint8Array): string };

/** The text of UTF-8 bytes (a byte order mark is dropped), or `undefined` if they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * A parsed JSON text, or the reason in one sentence. Python's `json` also writes `NaN` and `Infinity`, which JSON does not have and
 * which occur in real config.json files: they are read as `null`.
 */
export function parseJsonBytes(bytes: Uint8Array): { readonly value: unknown } | { readonly cause: string } {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { cause: "It is not UTF-8 text." };
  const parsed = parseJsonText(text) ?? withPythonNumbers(text);
  if (parsed !== undefined) return parsed;
  const isTooDeep = isNestedDeeper(text, maxNesting);
  return { cause: isTooDeep ? `It is nested more than ${maxNesting} levels deep.` : "It is not valid JSON." };
}

function withPythonNumbers(text: string): { readonly value: unknown } | undefined {
  return /NaN|Infinity/.test(text) ? parseJsonText(withoutPythonNumbers(text)) : undefined;
}

/** Deeper than any configuration or header; a parser takes seconds for ten megabytes of brackets. */
const maxNesting = 256;

/** The value of a JSON text, or `undefined` if it is none or nested more than 256 deep. */
export function parseJsonText(text: string): { readonly value: unknown } | undefined {
  if (isNestedDeeper(text, maxNesting)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Counts open brackets outside of strings; ends at the first that is too deep. */
function isNestedDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at) - 1;
    else if ((code | 0x20) === openBrace) {
      depth += 1;
      if (depth > limit) return true;
    } else if ((code | 0x20) === closeBrace) depth -= 1;
  }
  return false;
}

/** Of each pair, `[` and `{`, and `]` and `}`, the codes differ in bit 5 only. */
const openBrace = 0x7b;
const closeBrace = 0x7d;
const quote = 0x22;
const backslash = 0x5c;

/** One pass, whatever the text: a text that is no JSON may be hostile. */
function withoutPythonNumbers(text: string): string {
  let result = "";
  let outside = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && text[at] !== '"') continue;
    result += text.slice(outside, at).replace(/-?\bInfinity\b|\bNaN\b/g, "null");
    const end = endOfString(text, at);
    result += text.slice(at, end);
    outside = end;
    at = end - 1;
    if (end >= text.length) break;
  }
  return result;
}

/** The position after the string that begins here, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash && end - 1 - slashes > start) slashes += 1;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}
