import type { Severity } from "../document/diagnostic.js";
import type { ScalarValue } from "../yaml/plainScalar.js";

/** A value of the wrong type: what comes of it, and the values in YAML that may have been meant. */
export interface Mismatch {
  readonly severity: Severity;
  readonly message: string;
  readonly replacements: readonly string[];
}

/** What Python makes of a scalar that stands where a boolean should; `undefined` for a boolean and for null. */
export function boolMismatch(value: ScalarValue): Mismatch | undefined {
  if (value.type === "str") {
    const counts =
      value.value === "" ? "An empty text counts as false." : "Any non-empty text counts as true, this one too.";
    return { severity: "warning", message: counts, replacements: meantSwitch(value.value) };
  }
  if (value.type !== "int" && value.type !== "float") return undefined;
  const meaning = value.value === 0 ? "false" : "true";
  return { severity: "information", message: `The number counts as ${meaning}.`, replacements: [meaning] };
}

function meantSwitch(text: string): readonly string[] {
  const word = text.trim().toLowerCase();
  if (["true", "t", "yes", "y", "on", "1", "enable", "enabled"].includes(word)) return ["true"];
  if (["false", "f", "no", "n", "off", "0", "none", "null", "disable", "disabled", ""].includes(word)) return ["false"];
  return ["true", "false"];
}

/** The same for a whole number. */
export function intMismatch(value: ScalarValue): Mismatch | undefined {
  if (value.type === "str") {
    const digits = /^\s*([-+]?\d{1,15})\s*$/.exec(value.value)?.[1];
    return {
      severity: "error",
      message: "A text fails where it is used as a number.",
      replacements: digits === undefined ? [] : [digits],
    };
  }
  if (value.type === "bool") {
    const counts = value.value ? "1" : "0";
    return { severity: "warning", message: `The boolean counts as ${counts}.`, replacements: [counts] };
  }
  if (value.type !== "float") return undefined;
  const whole = Number.isSafeInteger(value.value) ? [String(value.value)] : [];
  return { severity: "warning", message: "Nothing rounds this value.", replacements: whole };
}
