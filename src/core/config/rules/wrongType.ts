import { type ConfigNode, followAlias, isDeferred } from "../document/configNode.js";
import type { QuickFix, Severity } from "../document/diagnostic.js";
import type { ScalarValue } from "../yaml/plainScalar.js";
import type { ConfigField, FieldType, Written } from "./field.js";
import type { Finding, Rule, RuleExample } from "./rule.js";
import { boolMismatch, intMismatch, type Mismatch } from "./scalarMismatch.js";

/** A key with the row that says which type it takes. */
export type TypedKey<Field extends ConfigField> = Written<Field> & { readonly field: Field };

/** What the frameworks differ in. */
export interface TypeDialect<Context, Field extends ConfigField> {
  readonly explanation: string;
  readonly example: RuleExample;
  /** Names of types where they are not the usual ones. */
  readonly typeNames: Partial<Readonly<Record<FieldType, string>>>;
  written(context: Context): readonly Written<Field>[];
  /** Values that another rule judges: texts in place of lists, patterns without quotes, halves of a broken line. */
  isOthers(context: Context, written: TypedKey<Field>): boolean;
  severityOf(context: Context, field: Field, whenRead: Severity): Severity;
  nullMismatch(field: Field): Mismatch | undefined;
  /** A text in place of a float; `number` is what it may have meant. */
  readonly textForFloat: { readonly message: string; readonly number: RegExp };
  /** A boolean or a number in place of a text. */
  strMismatch(value: Exclude<ScalarValue, { type: "str" | "null" }>): Mismatch;
  /** A single value in place of a list or a mapping. */
  singleValue(field: Field): string;
  fixes(context: Context, written: TypedKey<Field>, mismatch: Mismatch): readonly QuickFix[];
}

/** A value of another type than the dataclass says. */
export function wrongTypeRule<Context, Field extends ConfigField>(dialect: TypeDialect<Context, Field>): Rule<Context> {
  const { explanation, example } = dialect;
  const check = (context: Context): readonly Finding[] =>
    dialect.written(context).flatMap((written) => (isTyped(written) ? findingFor(dialect, context, written) : []));
  return { code: "wrong-type", severities: ["error", "warning", "information"], explanation, example, check };
}

function isTyped<Field extends ConfigField>(written: Written<Field>): written is TypedKey<Field> {
  return written.field !== undefined;
}

function findingFor<Context, Field extends ConfigField>(
  dialect: TypeDialect<Context, Field>,
  context: Context,
  written: TypedKey<Field>,
): readonly Finding[] {
  const { field, entry, path } = written;
  if (isDeferred(entry.value) || dialect.isOthers(context, written)) return [];
  const mismatch = mismatchOf(dialect, field, followAlias(entry.value));
  if (mismatch === undefined) return [];
  const isValueless = entry.value.span.start === entry.value.span.end;
  return [
    {
      span: isValueless ? entry.keySpan : entry.value.span,
      severity: dialect.severityOf(context, field, mismatch.severity),
      message: `${path} must be ${dialect.typeNames[field.type] ?? typeNames[field.type]}. ${mismatch.message}`,
      fixes: isValueless ? [] : dialect.fixes(context, written, mismatch),
    },
  ];
}

function mismatchOf<Context, Field extends ConfigField>(
  dialect: TypeDialect<Context, Field>,
  field: Field,
  node: ConfigNode,
): Mismatch | undefined {
  if (node.kind === "alias") return undefined;
  if (node.kind !== "scalar") return collectionMismatch(field.type, node.kind);
  const value = node.value;
  if (value.type === "null") return dialect.nullMismatch(field);
  switch (field.type) {
    case "bool":
      return boolMismatch(value);
    case "int":
      return intMismatch(value);
    case "float":
      return floatMismatch(dialect.textForFloat, value);
    case "str":
      return value.type === "str" ? undefined : dialect.strMismatch(value);
    default:
      return field.type === "list[str]" && value.type === "str" ? undefined : fails(dialect.singleValue(field));
  }
}

function floatMismatch(
  { message, number }: TypeDialect<unknown, ConfigField>["textForFloat"],
  value: ScalarValue,
): Mismatch | undefined {
  if (value.type === "str") {
    const meant = number.exec(value.value)?.[1];
    return fails(message, meant === undefined ? [] : [meant]);
  }
  if (value.type !== "bool") return undefined;
  return { severity: "warning", message: `The boolean counts as ${value.value ? "1" : "0"}.`, replacements: [] };
}

function collectionMismatch(type: FieldType, kind: "mapping" | "sequence"): Mismatch | undefined {
  if (kind === "mapping" ? type.startsWith("map") : type.startsWith("list")) return undefined;
  const what = kind === "mapping" ? "A mapping" : "A list";
  if (type === "bool") {
    return { severity: "warning", message: `${what} counts as true unless it is empty.`, replacements: [] };
  }
  if (type.startsWith("list")) {
    return { severity: "warning", message: "Of a mapping only the keys are taken.", replacements: [] };
  }
  return fails(`${what} fails at its first use.`);
}

function fails(message: string, replacements: readonly string[] = []): Mismatch {
  return { severity: "error", message, replacements };
}

const typeNames: Readonly<Record<FieldType, string>> = {
  bool: "true or false",
  int: "a whole number",
  float: "a number",
  str: "a text",
  "list[str]": "a list of texts",
  "list[int]": "a list of whole numbers",
  "list[float]": "a list of numbers",
  "list[bool]": "a list of booleans",
  map: "a mapping",
  "map(free)": "a mapping",
};
