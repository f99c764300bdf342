import { YamlRefusal } from "./cursor.js";
import { Scanner } from "./scanner.js";
import type { Token } from "./tokens.js";

/**
 * The text with line feeds for every break that is one to PyYAML and stands for nothing more: a lone carriage return, U+0085, and
 * U+2028 and U+2029 outside of values (inside they remain themselves). Offsets stay the same. A text that PyYAML refuses keeps
 * its U+2028 and U+2029.
 */
export function withPlainBreaks(text: string): string {
  const fed = /[\r\x85]/.test(text) ? text.replace(/\r(?!\n)|\x85/g, "\n") : text;
  if (!/[\u2028\u2029]/.test(fed)) return fed;
  const values = valuesIn(fed);
  if (values === undefined) return fed;
  let at = 0;
  return fed.replace(/[\u2028\u2029]/g, (letter, offset: number) => {
    while ((values[at]?.end ?? Number.POSITIVE_INFINITY) <= offset) at++;
    return offset >= (values[at]?.start ?? Number.POSITIVE_INFINITY) ? letter : "\n";
  });
}

/** The scalars in text order. */
function valuesIn(text: string): readonly Token[] | undefined {
  const scanner = new Scanner(text);
  const values: Token[] = [];
  try {
    for (let token = scanner.take(); token.kind !== "stream-end"; token = scanner.take()) {
      if (token.kind === "scalar") values.push(token);
    }
  } catch (error) {
    if (error instanceof YamlRefusal) return undefined;
    throw error;
  }
  return values;
}
