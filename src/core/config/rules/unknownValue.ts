import { shownWord } from "../../base/shownWord.js";
import { nearestSpelling } from "../../base/spelling.js";
import { isDeferred, textOf } from "../document/configNode.js";
import type { Severity } from "../document/diagnostic.js";
import { replaceFix } from "../document/edits.js";
import type { Written } from "./field.js";
import type { Finding } from "./rule.js";

/** What a key takes where it stands, how bad another value is, and what it does where that is known. */
export interface KnownValues {
  readonly values: readonly string[];
  readonly severity: Severity;
  readonly failure?: string | undefined;
}

/** The finding on a text outside the values that a key takes; a text that only the run knows may be any. */
export function valueFindings({ path, entry }: Written, known: KnownValues | undefined): readonly Finding[] {
  const text = textOf(entry.value);
  if (known === undefined || text === undefined || isDeferred(entry.value) || known.values.includes(text)) return [];
  const { values, severity, failure } = known;
  const nearest = nearestSpelling(text, values);
  const reason = failure === undefined ? "" : ` (${failure})`;
  const suggestion = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  const isWritable = nearest !== undefined && entry.value.kind === "scalar";
  return [
    {
      span: entry.value.span,
      severity,
      message: `${path} has no value "${shownWord(text, 60)}"${reason}; known: ${values.join(", ")}.${suggestion}`,
      fixes: isWritable ? [replaceFix(`Write ${nearest}`, entry.value.span, nearest)] : [],
    },
  ];
}
