import { followAlias, isDeferred, scalarOf } from "../document/configNode.js";
import { switchStateOf } from "../document/switchState.js";
import { fieldNamed } from "./fields/fieldTable.js";
import { type PlacedKey, pathOf, placedKey, type TrainingContext } from "./trainingContext.js";

/** How a switch stands, its default included; `unknown` where the value is filled in before the run. */
export type EffectiveSwitch = "on" | "off" | "unknown";

/** State of a switch by the name of its row. A layout without the key has it off. Of flags only what is written is known. */
export function switchOf(context: TrainingContext, name: string): EffectiveSwitch {
  if (pathOf(context, name) === undefined) return "off";
  const state = switchStateOf(placedKey(context, name)?.entry);
  if (state === "absent" && context.carrier.kind === "flag") return "unknown";
  if (state === "absent") return fieldNamed(name).default === true ? "on" : "off";
  return state === "deferred" ? "unknown" : state;
}

/** The key, if the file itself turns it on. */
export function writtenOn(context: TrainingContext, name: string): PlacedKey | undefined {
  const placed = placedKey(context, name);
  return placed !== undefined && switchStateOf(placed.entry) === "on" ? placed : undefined;
}

/** A number, its default included; `undefined` for other values. */
export function numberOf(context: TrainingContext, name: string): number | undefined {
  const placed = placedKey(context, name);
  if (placed === undefined) {
    if (context.carrier.kind === "flag") return undefined;
    const value = fieldNamed(name).default;
    return typeof value === "number" && pathOf(context, name) !== undefined ? value : undefined;
  }
  const value = scalarOf(placed.entry.value);
  return value?.type === "int" || value?.type === "float" ? value.value : undefined;
}

/** A text, its default included; `undefined` for other values. */
export function textValueOf(context: TrainingContext, name: string): string | undefined {
  const placed = placedKey(context, name);
  if (placed === undefined) {
    if (context.carrier.kind === "flag") return undefined;
    const value = fieldNamed(name).default;
    return typeof value === "string" && pathOf(context, name) !== undefined ? value : undefined;
  }
  const value = scalarOf(placed.entry.value);
  return value?.type === "str" && !isDeferred(placed.entry.value) ? value.value : undefined;
}

/** Number of entries of a list; 0 for an absent one, `undefined` for other values. */
export function lengthOf(context: TrainingContext, name: string): number | undefined {
  const placed = placedKey(context, name);
  if (placed === undefined) return context.carrier.kind === "flag" ? undefined : 0;
  const node = followAlias(placed.entry.value);
  return node.kind === "sequence" ? node.items.length : undefined;
}
