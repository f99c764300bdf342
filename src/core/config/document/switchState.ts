import { type ConfigNode, followAlias, isDeferred, type MappingEntry } from "./configNode.js";

/**
 * How Python reads a switch. `on` and `off` follow truth of the value, so a non-empty text is `on`; `deferred` is known at run
 * time only; `absent` means that the file leaves the default, unless a command line sets it.
 */
export type SwitchState = "on" | "off" | "deferred" | "absent";

/** State of any switch by its entry. */
export function switchStateOf(entry: MappingEntry | undefined): SwitchState {
  if (entry === undefined) return "absent";
  if (isDeferred(entry.value)) return "deferred";
  return isTruthy(followAlias(entry.value)) ? "on" : "off";
}

function isTruthy(node: ConfigNode): boolean {
  if (node.kind === "mapping") return node.entries.length > 0;
  if (node.kind === "sequence") return node.items.length > 0;
  if (node.kind === "alias") return false;
  const value = node.value;
  if (value.type === "null") return false;
  if (value.type === "bool") return value.value;
  return value.type === "str" ? value.value !== "" : value.value !== 0;
}
