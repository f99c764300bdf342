import { type ConfigNode, followAlias, isDeferred } from "../configNode.js";
import type { QuickFix, Severity } from "../diagnostic.js";
import { replaceFix } from "../edits.js";
import type { FieldSpec, FieldType } from "../fields/fieldSpec.js";
import { unquotedPatterns } from "../patternList.js";
import type { ScalarValue } from "../plainScalar.js";
import { quoteText } from "../rawList.js";
import type { EngineBlock } from "../recognise.js";
import { type WrittenField, writtenFields } from "../writtenFields.js";
import type { BlockContext, BlockRule, Finding } from "./rule.js";
import { severityFor } from "./severity.js";

/** A value of another type than the dataclass says. Texts in place of lists have a rule of their own. */
export const wrongType: BlockRule = {
  code: "wrong-type",
  explanation:
    "verl does not check types when it builds the engine config. Python then goes on with what it got: a non-empty text counts as true, a text in place of a number fails at its first use.",
  check: (context) =>
    writtenFields(context.block)
      .filter((written) => !isUnquotedPattern(context, written))
      .flatMap((written) => findingFor(context.block, written)),
};

/** A mismatch before the reader of the field is taken into account. */
interface Mismatch {
  readonly severity: Severity;
  readonly message: string;
  readonly replacements: readonly string[];
}

/** `{*}` in place of a list is a pattern without quotes, which has a rule of its own. */
function isUnquotedPattern(context: BlockContext, written: WrittenField): boolean {
  return written.field?.type === "list[str]" && unquotedPatterns(context.document, written.entry.value).length > 0;
}

function findingFor(block: EngineBlock, written: WrittenField): readonly Finding[] {
  const { field, entry } = written;
  if (field === undefined || isDeferred(entry.value)) return [];
  const mismatch = mismatchOf(field, followAlias(entry.value));
  if (mismatch === undefined) return [];
  const span = entry.value.span.start === entry.value.span.end ? entry.keySpan : entry.value.span;
  return [
    {
      span,
      severity: severityFor(block, field, mismatch.severity),
      message: `${written.key} must be ${nameOf(field.type)}. ${mismatch.message}`,
      fixes: span === entry.keySpan ? [] : fixesOf(entry.value, mismatch.replacements),
    },
  ];
}

function fixesOf(value: ConfigNode, replacements: readonly string[]): readonly QuickFix[] {
  return replacements.map((text) => replaceFix(`Write ${text}`, value.span, text));
}

function mismatchOf(field: FieldSpec, node: ConfigNode): Mismatch | undefined {
  if (node.kind === "alias") return undefined;
  if (node.kind !== "scalar") return collectionMismatch(field, node.kind);
  const value = node.value;
  if (value.type === "null") return nullMismatch(field);
  if (field.type === "bool") return boolMismatch(value);
  if (field.type === "int") return intMismatch(value);
  if (field.type === "float") return floatMismatch(value);
  if (field.type === "str") return strMismatch(value);
  return nonCollectionMismatch(field, value);
}

function nullMismatch(field: FieldSpec): Mismatch | undefined {
  if (field.nullFailure === undefined) return undefined;
  const replacements = field.type === "list[str]" ? ["[]"] : [];
  return { severity: "error", message: `With null ${field.nullFailure}.`, replacements };
}

function boolMismatch(value: ScalarValue): Mismatch | undefined {
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

function intMismatch(value: ScalarValue): Mismatch | undefined {
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

function floatMismatch(value: ScalarValue): Mismatch | undefined {
  if (value.type === "str") {
    const number = /^\s*(\d{1,12}(?:\.\d{1,12})?)\s*(?:gi?b?)?\s*$/i.exec(value.value)?.[1];
    return {
      severity: "error",
      message: "A text ends in a TypeError when the engine config is checked.",
      replacements: number === undefined ? [] : [number],
    };
  }
  if (value.type !== "bool") return undefined;
  return { severity: "warning", message: `The boolean counts as ${value.value ? "1" : "0"}.`, replacements: [] };
}

function strMismatch(value: ScalarValue): Mismatch | undefined {
  if (value.type === "str" || value.type === "null") return undefined;
  const written = String(value.value);
  return { severity: "error", message: "No such value is known.", replacements: [quoteText(written)] };
}

function collectionMismatch(field: FieldSpec, kind: "mapping" | "sequence"): Mismatch | undefined {
  if (field.type === "map" && kind === "mapping") return undefined;
  if (field.type === "list[str]" && kind === "sequence") return undefined;
  const what = kind === "mapping" ? "A mapping" : "A list";
  if (field.type === "bool") {
    return { severity: "warning", message: `${what} counts as true unless it is empty.`, replacements: [] };
  }
  if (field.type === "list[str]") {
    return { severity: "warning", message: "Of a mapping only the keys are taken.", replacements: [] };
  }
  return { severity: "error", message: `${what} fails at its first use.`, replacements: [] };
}

function nonCollectionMismatch(field: FieldSpec, value: ScalarValue): Mismatch | undefined {
  if (field.type === "list[str]" && value.type === "str") return undefined;
  return { severity: "error", message: "A single value fails at its first use.", replacements: [] };
}

function nameOf(type: FieldType): string {
  const names: Record<FieldType, string> = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    "list[str]": "a list of texts",
    map: "a mapping",
  };
  return names[type];
}
