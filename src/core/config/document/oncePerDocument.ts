import type { ConfigDocument } from "./configDocument.js";

/**
 * Remembers what a pure function of a parsed document gives, for as long as the document lives: rules, settings and outline of one
 * edit ask the same questions. `key` names the further arguments.
 */
export function oncePerDocument<Result>(): (document: ConfigDocument, key: string, work: () => Result) => Result {
  const known = new WeakMap<ConfigDocument, Map<string, Result>>();
  return (document, key, work) => {
    const results = known.get(document) ?? new Map<string, Result>();
    const present = results.get(key);
    if (present !== undefined || results.has(key)) return present as Result;
    const result = work();
    known.set(document, results.set(key, result));
    return result;
  };
}
