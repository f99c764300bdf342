import type { ConfigDocument } from "../document/configDocument.js";
import type { Diagnostic } from "../document/diagnostic.js";
import { removeFix } from "../document/edits.js";
import { LineIndex } from "../document/position.js";
import { engineExample } from "./example.js";
import { diagnosticOf, type RuleFacts } from "./rule.js";

/** A key that stands twice in one mapping. */
export const duplicateKeyFacts: RuleFacts = {
  code: "duplicate-key",
  severities: ["error", "warning"],
  explanation:
    "OmegaConf, which reads the files of verl, refuses a file in which one mapping holds a key twice. PyYAML, which reads VeOmni's own, takes the last one without a word.",
  example: engineExample("seed: 42", "seed: 43"),
};

const maxReported = 100;

/** Reports every key that stands again in its mapping, anywhere in the file. */
export function duplicateKeys(path: string, document: ConfigDocument): readonly Diagnostic[] {
  if (document.duplicateKeys.length === 0) return [];
  const lines = new LineIndex(document.text);
  return document.duplicateKeys.slice(0, maxReported).map(({ first, again, mapping }) => {
    const firstLine = lines.positionAt(first.keySpan.start).line;
    return diagnosticOf(duplicateKeyFacts.code, {
      span: again.keySpan,
      severity: "error",
      message: `The file does not load: ${again.key.slice(0, 80)} already stands on line ${firstLine}.`,
      fixes: removeFix(`Remove this entry, keep line ${firstLine}`, { path, document }, mapping, again),
    });
  });
}

/** The same for a file that PyYAML reads: it takes the last entry without a word, so an earlier one is lost. */
export function overwrittenKeys(path: string, document: ConfigDocument): readonly Diagnostic[] {
  if (document.duplicateKeys.length === 0) return [];
  const lines = new LineIndex(document.text);
  return document.duplicateKeys.slice(0, maxReported).map(({ again, mapping }) => {
    const earlier = mapping.entries.findLast(
      (entry) => entry.key === again.key && entry.keySpan.start < again.keySpan.start,
    );
    const line = lines.positionAt(earlier?.keySpan.start ?? again.keySpan.start).line;
    const title = `Remove the entry on line ${line}, which is lost`;
    return diagnosticOf(duplicateKeyFacts.code, {
      span: again.keySpan,
      severity: "warning",
      message: `${again.key.slice(0, 80)} stands on line ${line} too. The last one wins, the value there is lost without a word.`,
      fixes: earlier === undefined ? [] : removeFix(title, { path, document }, mapping, earlier),
    });
  });
}
