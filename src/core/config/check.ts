import { type ConfigDocument, parseConfig } from "./configDocument.js";
import type { Diagnostic } from "./diagnostic.js";
import { type DocumentKind, mightBeRelevant, recogniseDocument } from "./recognise.js";
import { duplicateKeys } from "./rules/duplicateKey.js";
import { blockRules } from "./rules/registry.js";
import { diagnosticOf } from "./rules/rule.js";
import { patternsOf } from "./rules/unquotedPattern.js";
import { syntaxDiagnostics } from "./rules/yamlSyntax.js";

/**
 * Runs every rule on a YAML file. `undefined` for files that do not configure verl's VeOmni engine. Diagnostics are in text
 * order; generated reference files have none. Never throws, whatever the text is.
 */
export function checkDocument(path: string, text: string): { dialect: string; diagnostics: Diagnostic[] } | undefined {
  if (!mightBeRelevant(path, text)) return undefined;
  const document = parseConfig(text, "omegaconf");
  const kind = recogniseDocument(path, document);
  if (kind === undefined) return undefined;
  return { dialect: kind.dialect, diagnostics: kind.generated ? [] : diagnose(path, document, kind) };
}

function diagnose(path: string, document: ConfigDocument, kind: DocumentKind): Diagnostic[] {
  const explained = kind.blocks.flatMap((block) => patternsOf({ document, block })).map((pattern) => pattern.span);
  const found = [
    ...syntaxDiagnostics(document, explained),
    ...duplicateKeys(path, document),
    ...kind.blocks.flatMap((block) =>
      blockRules.flatMap((rule) =>
        rule.check({ path, document, kind, block }).map((finding) => diagnosticOf(rule.code, finding)),
      ),
    ),
  ];
  return withoutRepeats(found).sort(
    (left, right) => left.span.start - right.span.start || left.span.end - right.span.end,
  );
}

/** Blocks can share a place: two roles use one `model`, an alias stands in two blocks. */
function withoutRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const place = `${diagnostic.code}:${diagnostic.span.start}:${diagnostic.span.end}`;
    if (!seen.has(place)) seen.set(place, diagnostic);
  }
  return [...seen.values()];
}
