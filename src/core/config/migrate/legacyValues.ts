import { type ConfigNode, textOf } from "../document/configNode.js";
import type { Route } from "./destination.js";
import type { EntryNode } from "./entryTree.js";
import type { ChangedValue } from "./migration.js";
import type { Kept, Plan, PlannedRow } from "./plan.js";

const modeRow = "train.accelerator.fsdp_config.fsdp_mode";
const deviceRow = "train.init_device";

/** A plan in which values that went with the old layout have their successors, and what was changed for that. */
export interface AdaptedPlan {
  readonly plan: Plan;
  readonly changed: readonly ChangedValue[];
}

/**
 * Values of the flat layout that later parsers refuse: `fsdp1` went with VeOmni #756, and its successor `fsdp2` starts from the
 * meta device only. The flat layout's default mode was `ddp`, later `fsdp2`: a file that relies on it with another device gets it
 * written out. Plans between the other layouts come back as they are.
 */
export function adaptValues(plan: Plan, route: Route): AdaptedPlan {
  if (route.from !== "flat" || route.to === "flat") return { plan, changed: [] };
  const mode = plan.rows.find(({ row }) => row === modeRow);
  const device = plan.rows.find(({ row }) => row === deviceRow);
  const hasOtherDevice = device !== undefined && isOtherThan("meta", device);
  if (mode === undefined) return hasOtherDevice ? withDefaultMode(plan, route) : { plan, changed: [] };
  if (written(mode) !== "fsdp1") return { plan, changed: [] };
  const adapted = withValue({ plan, changed: [] }, mode, "fsdp2", "fsdp1 went with VeOmni #756.");
  return hasOtherDevice ? withValue(adapted, device, "meta", "fsdp2 requires meta.") : adapted;
}

function written({ node }: PlannedRow): string | undefined {
  return textOf(node.source?.entry.value);
}

function isOtherThan(text: string, row: PlannedRow): boolean {
  const value = written(row);
  return value !== undefined && value !== text;
}

function withValue({ plan, changed }: AdaptedPlan, row: PlannedRow, now: string, why: string): AdaptedPlan {
  const value = row.node.source?.entry.value;
  const was = written(row);
  if (value?.kind !== "scalar" || was === undefined || row.node.below.length > 0) return { plan, changed };
  const replaced = row.node.head.replace(was, now);
  if (!/^\s*:\s+["']?\w+["']?\s*(?:#.*)?$/.test(replaced)) return { plan, changed };
  const apply = () => {
    row.node.head = replaced;
    row.node.above = [...row.node.above, `${" ".repeat(row.node.indent)}# Was ${was}: ${why}`];
  };
  const kept = plan.kept.map((each) => (each.value === value ? { ...each, value: textNode(now) } : each));
  return {
    plan: { ...plan, kept, prepared: [...plan.prepared, { apply }] },
    changed: [...changed, { key: row.key, was, now, why }],
  };
}

function withDefaultMode(plan: Plan, { to }: Route): AdaptedPlan {
  const path = `${to.startsWith("train") ? "train" : "model"}.accelerator.fsdp_config.fsdp_mode`;
  const why = "ddp was the default of the flat layout.";
  const node: EntryNode = {
    kind: "entry",
    key: "fsdp_mode",
    keyText: "fsdp_mode",
    indent: 0,
    blanks: [],
    above: [`# ${why}`],
    head: ": ddp",
    below: [],
    step: 2,
  };
  const kept: Kept = { value: textNode("ddp"), to: path.split(".") };
  return {
    plan: { ...plan, moves: [...plan.moves, { node, siblings: [], to: kept.to }], kept: [...plan.kept, kept] },
    changed: [{ key: "train.data_parallel_mode", was: "", now: "ddp", why }],
  };
}

function textNode(value: string): ConfigNode {
  return { kind: "scalar", span: { start: 0, end: 0 }, style: "plain", value: { type: "str", value } };
}
