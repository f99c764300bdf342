import { entryOf } from "../document/configNode.js";
import type { Diagnostic, TextSpan } from "../document/diagnostic.js";
import { inTextOrder } from "../document/inTextOrder.js";
import { booleanIn } from "../document/literalValues.js";
import type { RuleOptions } from "../rules/rule.js";
import type { Override } from "../shell/overrides.js";
import type { BlockContext } from "../verl/blockRule.js";
import { runRules } from "../verl/checkVerl.js";
import type { EngineBlock } from "../verl/engineBlock.js";
import { type DocumentKind, recognise } from "../verl/recognise.js";
import { engineNotVeomni } from "../verl/rules/engineNotVeomni.js";
import { kernelForModel } from "../verl/rules/kernelForModel.js";
import { r3Rollout } from "../verl/rules/r3Rollout.js";
import { blockRules, fieldRules } from "../verl/rules/registry.js";
import type { CommandFile } from "./calls.js";
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
  const found = calls.flatMap((call) => checkAnyCall(path, text, call, options));
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
  const ofShell = [
    ...withoutExpanded(overrides).flatMap(trapOrError),
    ...repeatedFindings(text, overrides),
    ...engineFindings(overrides),
    ...deletionFindings(overrides),
  ];
  const writer = overrideWriter(text, tree);
  const contextOf = (block: EngineBlock): BlockContext => ({
    path,
    document: tree.document,
    kind,
    block,
    options,
    writer,
    ...patternsOf(text, tree, block),
  });
  const byStart = new Map([...tree.overrideOf].map(([entry, override]) => [entry.keySpan.start, override]));
  const atDefaults = defaultBlock(tree.document);
  const ofRules = [
    ...(atDefaults === undefined ? [] : runRules([kernelForModel], contextOf(atDefaults))),
    ...kind.blocks.flatMap((block) => runRules(blockRules, contextOf(block))),
    ...kind.optimizers.flatMap((block) => runRules(fieldRules, contextOf(block))),
  ];
  const ofTables = ofRules.map((diagnostic) =>
    forCall(overrides, forScript(text, tree, byStart.get(diagnostic.span.start), diagnostic)),
  );
  const ofOperators = operatorFindings(text, tree, kind);
  const ofStruct = structFindings(text, overrides);
  const told = [...ofOperators, ...[...ofShell, ...ofTables].filter(({ code }) => refusedKeys.has(code))];
  return [...ofShell, ...ofOperators, ...ofTables, ...ofStruct.filter(({ span }) => !told.some(isInside(span)))];
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
function isInside(key: TextSpan): (other: Diagnostic) => boolean {
  return ({ span }) => span.start < key.end && key.start < span.end;
}

const refusedKeys: ReadonlySet<string> = new Set(["unknown-key", "foreign-key", "removed-key", "misplaced-key"]);

/** The fixes that are safe here, and for keys that no YAML holds the moment at which it fails. */
function forScript(
  text: string,
  tree: OverrideTree,
  override: Override | undefined,
  diagnostic: Diagnostic,
): Diagnostic {
  const fixes = safeFixes(text, tree, diagnostic.fixes).concat(diagnostic.fixes.filter(isPatternFix(diagnostic)));
  const isCertain = override?.keyPath === "model_engine" && override.alternative === undefined;
  if (diagnostic.code === engineNotVeomni.code && isCertain && !override.assumesDefault) {
    const message = `${diagnostic.message} Hydra refuses the keys of the block, which this engine does not have.`;
    return { ...diagnostic, severity: "error", message, fixes };
  }
  if (!refusedKeys.has(diagnostic.code)) return { ...diagnostic, fixes };
  if (override?.operator !== "set") return { ...diagnostic, fixes };
  const message = `${diagnostic.message} Without + Hydra refuses it at composition already.`;
  return { ...diagnostic, message, fixes };
}

/** No other file sets what a whole call leaves out. */
function forCall(overrides: readonly Override[], diagnostic: Diagnostic): Diagnostic {
  const isWhole = overrides[0]?.isOfWholeCall === true;
  return isWhole && diagnostic.code === r3Rollout.code ? { ...diagnostic, severity: "error" } : diagnostic;
}

/** The rules on patterns write with edits that fit overrides already. */
function isPatternFix({ code }: Diagnostic): () => boolean {
  return () => code.startsWith("pattern-");
}
