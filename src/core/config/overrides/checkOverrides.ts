import { entryOf } from "../document/configNode.js";
import type { Diagnostic, TextSpan } from "../document/diagnostic.js";
import { inTextOrder } from "../document/inTextOrder.js";
import { booleanIn } from "../document/literalValues.js";
import type { OverrideCarrier } from "../rules/carrier.js";
import { diagnosticOf, type Finding, type RuleOptions } from "../rules/rule.js";
import type { Override } from "../shell/overrides.js";
import type { BlockContext, BlockRule } from "../verl/blockRule.js";
import type { EngineBlock } from "../verl/engineBlock.js";
import { type DocumentKind, recognise } from "../verl/recognise.js";
import { batchFindings, batchSizes } from "../verl/rules/batchSizes.js";
import { kernelForModel } from "../verl/rules/kernelForModel.js";
import { blockRules, fieldRules } from "../verl/rules/registry.js";
import type { CommandFile } from "./calls.js";
import { returnFindings } from "./carriageReturns.js";
import { checkFlags } from "./checkFlags.js";
import { defaultBlock } from "./engineDefaults.js";
import { structFindings } from "./notInStruct.js";
import { overrideWriter, safeFixes } from "./overrideEdits.js";
import { overridePatterns } from "./overridePatterns.js";
import { deletionFindings, engineFindings, operatorFindings, repeatedFindings, trapOrError } from "./overrideRules.js";
import { type OverrideTree, overrideTree } from "./overrideTree.js";

/**
 * Judges what scripts, shell blocks of Markdown and `.hydra/overrides.yaml` hand to verl's VeOmni engine or to VeOmni itself,
 * with the same tables and rules as YAML. Diagnostics are in text order. Never throws.
 */
export function checkCommands({ path, text, calls }: CommandFile, options: RuleOptions = {}): Diagnostic[] {
  const found = [...returnFindings(path, text), ...calls.flatMap((call) => checkAnyCall(path, text, call, options))];
  const isRecord = /ya?ml$/i.test(path);
  return inTextOrder(isRecord ? found.map((diagnostic) => ({ ...diagnostic, fixes: [] })) : found);
}

function checkAnyCall(
  path: string,
  text: string,
  overrides: readonly Override[],
  options: RuleOptions,
): readonly Diagnostic[] {
  if (overrides[0]?.dialect === "veomni") return checkFlags(path, text, overrides, options);
  return checkCall(path, text, overrides, options);
}

/** A call that sets no key of an engine block. */
const withoutBlocks: DocumentKind = { dialect: "verl", form: "composed", generated: false, blocks: [], optimizers: [] };

function checkCall(
  path: string,
  text: string,
  overrides: readonly Override[],
  options: RuleOptions,
): readonly Diagnostic[] {
  const tree = overrideTree(text, overrides);
  const kind = recognise(path, tree.document) ?? withoutBlocks;
  const deletions = deletionFindings(overrides);
  const ofShell = [
    ...withoutExpanded(overrides).flatMap(trapOrError),
    ...repeatedFindings(text, overrides),
    ...engineFindings(overrides),
    ...deletions,
  ];
  const writer = overrideWriter(text, tree);
  const carrier = carrierOf(tree, overrides);
  const contextOf = (block: EngineBlock): BlockContext => ({
    path,
    document: tree.document,
    kind,
    carrier,
    block,
    options,
    writer,
    ...patternsOf(text, tree, block),
  });
  const atDefaults = defaultBlock(tree.document);
  const found = [
    ...(atDefaults === undefined ? [] : findingsOf([kernelForModel], contextOf(atDefaults))),
    ...kind.blocks.flatMap((block) => findingsOf(blockRules, contextOf(block))),
    ...kind.optimizers.flatMap((block) => findingsOf(fieldRules, contextOf(block))),
  ];
  const ofOperators = operatorFindings(text, tree, kind);
  const ofBatches = batchFindings(tree.document, kind, overrides[0]?.composes === "ppo").map((finding) =>
    diagnosticOf(batchSizes.code, finding),
  );
  const ofTables = found.map(({ code, finding }) => diagnosticOf(code, fitting(text, tree, finding)));
  const refused = found.filter(({ finding }) => finding.refusesKey).map(({ finding }) => finding);
  const told = [...ofOperators, ...deletions, ...refused];
  const ofStruct = structFindings(text, overrides).filter(({ span }) => !told.some(isInside(span)));
  return [...ofShell, ...ofOperators, ...ofTables, ...ofBatches, ...ofStruct];
}

/** A finding with the code of its rule. */
interface Found {
  readonly code: string;
  readonly finding: Finding;
}

function findingsOf(rules: readonly BlockRule[], context: BlockContext): readonly Found[] {
  return rules.flatMap((rule) => rule.check(context).map((finding) => ({ code: rule.code, finding })));
}

/** The fixes that are safe in a command line. */
function fitting(text: string, tree: OverrideTree, finding: Finding): Finding {
  const fixes = finding.fixes ?? [];
  return finding.fixesFitCarrier ? finding : { ...finding, fixes: safeFixes(text, tree, fixes) };
}

/** How the overrides of a call arrive, for the rules. */
function carrierOf(tree: OverrideTree, overrides: readonly Override[]): OverrideCarrier {
  const byStart = new Map([...tree.overrideOf].map(([entry, override]) => [entry.keySpan.start, override]));
  return {
    kind: "override",
    isWholeCall: overrides[0]?.isOfWholeCall === true,
    arrivalOf: ({ keySpan }) => {
      const override = byStart.get(keySpan.start);
      if (override === undefined) return undefined;
      const isCertain = override.alternative === undefined && !override.assumesDefault;
      return { isPlainSet: override.operator === "set", isCertain };
    },
  };
}

/** Of the words that one pair of braces makes, only the first is worth a word. */
function withoutExpanded(overrides: readonly Override[]): readonly Override[] {
  const expanded = new Map<string, Override>();
  for (const override of overrides) {
    if (override.trap?.code !== "brace-expansion" || expanded.has(override.keyPath)) continue;
    expanded.set(override.keyPath, override);
  }
  return overrides.filter((override) => (expanded.get(override.keyPath) ?? override) === override);
}

function patternsOf(text: string, tree: OverrideTree, block: EngineBlock): Pick<BlockContext, "patternList"> {
  const entry = entryOf(block.mapping, "activation_offload_modules");
  const override = entry === undefined ? undefined : tree.overrideOf.get(entry);
  if (override === undefined) return {};
  const checkpointing = booleanIn(tree.document.root, block.model?.mapping, "enable_gradient_checkpointing");
  return { patternList: overridePatterns(text, override, checkpointing) };
}

/** What a table says about a key counts more than that the tree lacks it. */
function isInside(key: TextSpan): (other: Pick<Finding, "span">) => boolean {
  return ({ span }) => span.start < key.end && key.start < span.end;
}
