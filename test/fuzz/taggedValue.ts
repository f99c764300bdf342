import { asMapping, type ConfigNode, followAlias } from "../../src/core/config/document/configNode.js";

/** A value as `load_yaml.py` writes it; `["?"]` is one that cannot be compared. */
export type Tagged = null | boolean | readonly [kind: string, content?: unknown];

/** What a parsed document says, in that form. Of a key that stands twice the last entry counts. */
export function taggedValue(node: ConfigNode | undefined): Tagged {
  if (node === undefined) return null;
  const target = followAlias(node);
  if (target.kind === "alias") return ["?"];
  if (target.kind === "sequence") return ["l", target.items.map(taggedValue)];
  const mapping = asMapping(target);
  if (mapping !== undefined) {
    const members = Object.create(null) as Record<string, Tagged>;
    for (const { key, value } of mapping.entries) members[key] = taggedValue(value);
    return ["m", members];
  }
  if (target.kind !== "scalar") return ["?"];
  const { value } = target;
  if (value.type === "null") return null;
  if (value.type === "bool") return value.value;
  if (value.type === "str") return ["s", value.value];
  if (value.type === "int") return ["i", Math.abs(value.value) <= 2 ** 53 ? value.value : "large"];
  if (Number.isNaN(value.value)) return ["f", "nan"];
  if (Number.isFinite(value.value)) return ["f", value.value];
  return ["f", value.value > 0 ? "inf" : "-inf"];
}
