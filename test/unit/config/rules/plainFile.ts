import { type ConfigDocument, parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { asMapping } from "../../../../src/core/config/document/configNode.js";
import type { ConfigField, Written } from "../../../../src/core/config/rules/field.js";
import type { Finding } from "../../../../src/core/config/rules/rule.js";

/** A file of a framework that has nothing but a table of keys: what shared rules need, and no more. */
export interface PlainFile<Field extends ConfigField = ConfigField> {
  readonly document: ConfigDocument;
  readonly written: readonly Written<Field>[];
}

/** Reads a flat mapping; keys that the table lacks have no field. */
export function plainFile<Field extends ConfigField>(
  text: string,
  fields: Readonly<Record<string, Field>>,
): PlainFile<Field> {
  const document = parseConfig(text, "pyyaml");
  const container = asMapping(document.root);
  if (container === undefined) throw new Error("no mapping");
  const written = container.entries.map((entry) => {
    const field = fields[entry.key];
    return { path: entry.key, entry, container, ...(field && { field }) };
  });
  return { document, written };
}

/** One line per finding: `severity place: message`, and its fixes as the texts that they write. */
export function told(text: string, findings: readonly Finding[]): readonly string[] {
  return findings.map(({ severity, span, message, fixes = [] }) => {
    const written = fixes.flatMap(({ edits }) => edits.map(({ newText }) => newText));
    return `${severity} ${text.slice(span.start, span.end)}: ${message}${written.map((each) => ` → ${each}`).join("")}`;
  });
}
