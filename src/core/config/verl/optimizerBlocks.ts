import { asMapping, entryOf, type MappingNode, textOf } from "../document/configNode.js";
import type { EngineBlock, EngineRole } from "./engineBlock.js";
import { verlOptimizerTable } from "./fields/verlOptimizer.js";

export const optimizerClass = /(?:^|\.)VeOmniOptimizerConfig$/;

/** A mapping whose engine is VeOmni: a role, or the root of the SFT trainer's configuration. */
export interface EngineOwner {
  readonly role: EngineRole;
  readonly path: readonly string[];
  readonly parent: MappingNode | undefined;
}

/** The `optim` of each owner, once; a reference policy has none, and one of another class belongs to another engine. */
export function optimizersIn(owners: readonly EngineOwner[]): readonly EngineBlock[] {
  const found = new Map<MappingNode, EngineBlock>();
  for (const owner of owners) {
    const block = owner.role === "ref" ? undefined : optimizerOf(owner);
    if (block !== undefined && !found.has(block.mapping)) found.set(block.mapping, block);
  }
  return [...found.values()];
}

function optimizerOf({ role, path, parent }: EngineOwner): EngineBlock | undefined {
  const entry = entryOf(parent, "optim");
  const mapping = asMapping(entry?.value);
  if (parent === undefined || entry === undefined || mapping === undefined) return undefined;
  const target = textOf(entryOf(mapping, "_target_")?.value);
  if (target !== undefined && !optimizerClass.test(target)) return undefined;
  return { path: [...path, "optim"].join("."), role, mapping, span: entry.span, parent, table: verlOptimizerTable };
}
