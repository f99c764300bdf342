import type { ConfigDocument } from "../configDocument.js";
import type { Diagnostic } from "../diagnostic.js";
import { removeFix } from "../edits.js";
import { LineIndex } from "../position.js";
import { diagnosticOf } from "./rule.js";

/** Stable code of this rule. */
export const duplicateKeyCode = "duplicate-key";
/** Why it matters. */
export const duplicateKeyExplanation =
  "OmegaConf refuses a file in which one mapping holds a key twice. (PyYAML alone would take the last one without a word.)";

const maxReported = 100;

/** Reports every key that stands again in its mapping, anywhere in the file. */
export function duplicateKeys(path: string, document: ConfigDocument): readonly Diagnostic[] {
  const lines = new LineIndex(document.text);
  return document.duplicateKeys.slice(0, maxReported).map(({ first, again, mapping }) => {
    const firstLine = lines.positionAt(first.keySpan.start).line;
    return diagnosticOf(duplicateKeyCode, {
      span: again.keySpan,
      severity: "error",
      message: `The file does not load: ${again.key.slice(0, 80)} already stands on line ${firstLine}.`,
      fixes: removeFix(`Remove this entry, keep line ${firstLine}`, { path, document }, mapping, again),
    });
  });
}
