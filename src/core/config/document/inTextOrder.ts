import type { Diagnostic } from "./diagnostic.js";

/**
 * Sorts diagnostics by their places and drops repeats: blocks can share a place, as two roles use one `model`, or an alias stands
 * in two blocks.
 */
export function inTextOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const place = `${diagnostic.code}:${diagnostic.span.start}:${diagnostic.span.end}`;
    if (!seen.has(place)) seen.set(place, diagnostic);
  }
  return [...seen.values()].sort((left, right) => left.span.start - right.span.start || left.span.end - right.span.end);
}
