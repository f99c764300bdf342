import { z } from "zod";
import type { FieldRange } from "../rules/field.js";

/** What a schema needs to know about one key, whichever table it comes from. */
export interface SchemaField {
  readonly type: string;
  readonly acceptsNull: boolean;
  readonly allowed?: { readonly values: readonly string[]; readonly open: boolean } | undefined;
  readonly range?: FieldRange | undefined;
  readonly default?: unknown;
  readonly description: string;
  /** A list of patterns, which has rules of its own. */
  readonly isPatternList?: boolean;
}

/** A part of a schema as zod builds it. */
export type FieldSchema = z.ZodType;

/** An interpolation or the mandatory marker: known at run time only. */
const deferred = z.string().regex(/\$\{|^\?\?\?$/);

/**
 * Patterns that select nothing, or something else than meant, whatever the model is: blanks, a star alone, text after `{*}`,
 * `{*}` without container, other braces, angle brackets.
 */
const usefulPattern =
  "^(?!\\*+$)(?!\\{\\*\\})(?!.*\\{\\*\\}.)(?!.*\\{(?!\\*\\}))(?!.*<\\*>)(?!.*\\*\\*)(?!.*\\[\\*\\])(?!.*(?:^|\\.)(?:layers|h|blocks)$)(?!.*\\[\\d+-\\d\\d)[^\\s]+$";

/** The schema of one key: its type, bounds and values, or an interpolation; with description and default. */
export function fieldSchema(field: SchemaField): FieldSchema {
  const options: FieldSchema[] = [typeSchema(field)];
  if (!isText(field)) options.push(deferred);
  if (field.acceptsNull) options.push(z.null());
  const [only] = options;
  const union = options.length === 1 && only !== undefined ? only : z.union(options);
  const shown = field.default === undefined ? {} : { default: field.default };
  return union.meta({ description: field.description, ...shown }).optional();
}

function isText(field: SchemaField): boolean {
  return field.type === "str" && field.allowed?.open !== false;
}

function typeSchema(field: SchemaField): FieldSchema {
  switch (field.type) {
    case "bool":
      return z.boolean();
    case "int":
      return bounded(z.int(), field.range);
    case "float":
      return bounded(z.number(), field.range);
    case "str":
      return textSchema(field);
    case "list[str]":
      return z.array(field.isPatternList === true ? z.string().meta({ pattern: usefulPattern }) : z.string());
    case "list[int]":
      return z.array(z.int());
    case "list[float]":
      return z.array(z.number());
    case "list[bool]":
      return z.array(z.boolean());
    default:
      return z.looseObject({});
  }
}

function bounded(schema: z.ZodNumber, range: FieldRange | undefined): FieldSchema {
  let result = schema;
  if (range?.minimum !== undefined) result = result.min(range.minimum);
  if (range?.maximum !== undefined) result = result.max(range.maximum);
  return range?.exclude === undefined ? result : result.meta({ not: { enum: [...range.exclude] } });
}

function textSchema({ allowed }: SchemaField): FieldSchema {
  if (allowed === undefined) return z.string();
  return allowed.open ? z.string().meta({ examples: [...allowed.values] }) : z.enum(allowed.values as [string]);
}
