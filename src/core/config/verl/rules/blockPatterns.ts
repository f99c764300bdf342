import { entryOf } from "../../document/configNode.js";
import { booleanIn } from "../../document/literalValues.js";
import { type PatternList, type PatternRule, readPatternList } from "../../patterns/patternEntries.js";
import { patternRules } from "../../patterns/rules/registry.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { asyncSwitchOf } from "../offloadSwitch.js";
import { modelSwitch } from "./modelSwitch.js";

/** The rules on pattern lists, for the list of an engine block. A list that is switched off is left alone. */
export const blockPatternRules: readonly BlockRule[] = patternRules.map(forBlocks);

const lists = new WeakMap<BlockContext, { readonly list: PatternList | undefined }>();

function forBlocks(rule: PatternRule): BlockRule {
  return {
    ...rule,
    check: (context) => {
      const list = listOf(context);
      const found = list === undefined ? [] : rule.check(list);
      // What these rules write, the entries of a list write: of an override as the shell wants it.
      return found.map((finding) => ({ ...finding, fixesFitCarrier: true }));
    },
  };
}

function listOf(context: BlockContext): PatternList | undefined {
  const known = lists.get(context);
  if (known !== undefined) return known.list;
  const list = readList(context);
  lists.set(context, { list });
  return list;
}

function readList(context: BlockContext): PatternList | undefined {
  const { block, document } = context;
  if (asyncSwitchOf(block) === "off") return undefined;
  if (context.patternList !== undefined) return context.patternList;
  const key = "enable_gradient_checkpointing";
  const isSaid = modelSwitch(context, key) !== undefined;
  const checkpointing = isSaid ? booleanIn(document.root, block.model?.mapping, key) : undefined;
  return readPatternList(document, entryOf(block.mapping, "activation_offload_modules")?.value, checkpointing);
}
