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
  return parsed(text) ?? parsed(withoutPythonNumbers(text)) ?? { cause: "It is not valid JSON." };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function withoutPythonNumbers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/g, (token) => (token.startsWith('"') ? token : "null"));
}
