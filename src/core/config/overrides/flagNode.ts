import type { ConfigNode } from "../document/configNode.js";
import type { HydraValue } from "../hydra/value.js";
import type { FieldType } from "../rules/field.js";
import type { Override } from "../shell/overrides.js";
import { flagBoolean, flagNumber } from "../shell/veomniFlags.js";
import { fieldAt } from "../veomni/fields/fieldTable.js";
import { layoutIds } from "../veomni/layout.js";
import type { ScalarValue } from "../yaml/plainScalar.js";
import { toNode } from "./overrideTree.js";

/** The value as the argument parser converts it; what it refuses stays text. */
export function flagNode(override: Override): ConfigNode {
  const { value } = override;
  if (value === undefined) return toNode({ kind: "unknown", span: override.valueSpan });
  const type = typeOf(override.keyPath);
  if (type?.startsWith("list") !== true) return converted(value, type);
  const items = value.kind === "list" ? value.items : [value];
  const itemType = /^list\[(\w+)\]$/.exec(type)?.[1] as FieldType | undefined;
  return {
    kind: "sequence",
    span: override.valueSpan,
    flow: false,
    items: items.map((item) => converted(item, itemType)),
  };
}

function converted(value: HydraValue, type: FieldType | undefined): ConfigNode {
  if (value.kind !== "string") return toNode(value);
  const scalar = scalarOf(value.text, type);
  return { kind: "scalar", span: value.span, style: "plain", value: scalar };
}

function scalarOf(text: string, type: FieldType | undefined): ScalarValue {
  const boolean = type === "bool" ? flagBoolean(text) : undefined;
  if (boolean !== undefined) return { type: "bool", value: boolean };
  const number = type === "int" || type === "float" ? flagNumber(text) : undefined;
  if (number === undefined) return { type: "str", value: text };
  const isWhole = /^\s*[+-]?[\d_]+\s*$/.test(text);
  return { type: isWhole ? "int" : "float", value: number };
}

function typeOf(keyPath: string): FieldType | undefined {
  for (const layout of layoutIds) {
    const field = fieldAt(layout, keyPath);
    if (field !== undefined) return field.type;
  }
  return undefined;
}
