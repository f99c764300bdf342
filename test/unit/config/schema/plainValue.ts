import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { type ConfigNode, followAlias } from "../../../../src/core/config/document/configNode.js";
import type { YamlReader } from "../../../../src/core/config/yaml/plainScalar.js";

/** What a loader makes of a text, as JSON. */
export function plainValue(text: string, reader: YamlReader = "omegaconf"): unknown {
  const { root } = parseConfig(text, reader);
  return root === undefined ? null : toPlain(root);
}

function toPlain(node: ConfigNode): unknown {
  const target = followAlias(node);
  if (target.kind === "mapping") {
    return Object.fromEntries(target.entries.map((entry) => [entry.key, toPlain(entry.value)]));
  }
  if (target.kind === "sequence") return target.items.map(toPlain);
  if (target.kind === "alias" || target.value.type === "null") return null;
  return target.value.value;
}
