import { shownWord } from "../../base/shownWord.js";
import { nearestSpelling } from "../../base/spelling.js";
import type { Diagnostic, QuickFix, TextSpan } from "../document/diagnostic.js";
import type { DictEntry } from "../hydra/value.js";
import { scriptExample } from "../rules/example.js";
import { diagnosticOf, type RuleFacts } from "../rules/rule.js";
import type { Override } from "../shell/overrides.js";
import {
  type ComposedEntry,
  type ComposedTrainer,
  composedAbove,
  composedEntry,
  composedRootKeys,
  partOfOtherEngines,
  recordedReleases,
} from "../verl/composedTree.js";
import { keepsValue, movedInto } from "../verl/engineMoves.js";
import { operatorEdit, removeWord } from "./overrideEdits.js";
import { overridePlusExisting } from "./overrideFacts.js";

export const notInStruct: RuleFacts = {
  code: "not-in-struct",
  severities: ["error", "warning", "information"],
  explanation:
    'Hydra composes one tree from the files of the chosen engine and stops with "not in struct" at an override of a key that the tree does not hold. What the FSDP engine has in fsdp_config is in veomni here. A leading + adds a key, ++ adds or overrides, ~ deletes (not a null); a dict that is set adds no keys. The trees are recorded from releases of verl. In documentation that lists overrides without a command, keys of the engine block tell which tree is meant, with less certainty.',
  example: {
    ...scriptExample(
      "python3 -m verl.trainer.main_ppo model_engine=veomni \\",
      "  actor_rollout_ref.actor.fsdp_config.param_offload=True",
    ),
  },
};

const OF_HYDRA_ITSELF = /^hydra(?:\.|$)/;
const ENGINE_CHOICE: Readonly<Record<ComposedTrainer, readonly string[]>> = {
  ppo: ["model_engine"],
  sft: ["engine", "optim"],
};

/**
 * Compares what one call sets outside of the engine block with the tree that its trainer composes for the VeOmni engine. Silent
 * unless the call names verl's own trainer with its own configuration and the engine, and chooses no other parts. An excerpt of
 * documentation names neither trainer nor, often, engine: its keys say which they are, with less certainty.
 */
export function structFindings(text: string, overrides: readonly Override[]): readonly Diagnostic[] {
  const isExcerpt = overrides[0]?.isOfExcerpt === true;
  const trainer = isExcerpt ? trainerOfKeys(overrides) : overrides[0]?.composes;
  if (trainer === undefined) return [];
  const engine = engineOf(trainer, overrides);
  if (engine === "veomni") return findingsIn(text, trainer, overrides);
  if (!isExcerpt || engine !== "unsaid") return [];
  return findingsIn(text, trainer, overrides).map(lessCertain);
}

const OF_PPO = /^(?:actor_rollout_ref|critic)\./;
const OF_SFT = /^engine(?:\.|$)/;

/** The trainer whose tree has keys like these; undefined where keys of both stand beside each other, or of neither. */
function trainerOfKeys(overrides: readonly Override[]): ComposedTrainer | undefined {
  const isPpo = overrides.some(({ keyPath }) => OF_PPO.test(keyPath));
  const isSft = overrides.some(({ keyPath }) => OF_SFT.test(keyPath));
  if (isPpo === isSft) return undefined;
  return isPpo ? "ppo" : "sft";
}

/** That the engine is VeOmni's follows from keys of its block only. */
function lessCertain(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: diagnostic.severity === "error" ? "warning" : "information" };
}

function findingsIn(text: string, trainer: ComposedTrainer, overrides: readonly Override[]): readonly Diagnostic[] {
  const made = new MadePaths();
  return overrides.flatMap((override) => {
    const { keyPath } = override;
    const isMade = made.reach(keyPath);
    if (mayMake(override)) made.add(keyPath);
    if (isMade || override.trap?.code === "cut-off" || OF_HYDRA_ITSELF.test(keyPath)) return [];
    return findingFor({ text, trainer, overrides }, override);
  });
}

/** True when what the tree holds at the key, or below it, is another thing behind this override. */
function mayMake({ operator, value }: Override): boolean {
  if (operator === "add" || operator === "addOrSet") return true;
  return operator === "set" && (value === undefined || value.kind === "dict" || value.kind === "unknown");
}

interface MadeNode {
  isMade: boolean;
  readonly below: Map<string, MadeNode>;
}

/** Key paths that overrides made, by segments: a call may hold very many. */
class MadePaths {
  readonly #root: MadeNode = { isMade: false, below: new Map() };

  add(keyPath: string): void {
    let node = this.#root;
    for (const segment of keyPath.split(".")) {
      const next = node.below.get(segment) ?? { isMade: false, below: new Map() };
      node.below.set(segment, next);
      node = next;
    }
    node.isMade = true;
  }

  /** True when `keyPath`, something above it or something below it was made: it may exist then. */
  reach(keyPath: string): boolean {
    let node = this.#root;
    for (const segment of keyPath.split(".")) {
      const next = node.below.get(segment);
      if (next === undefined) return false;
      if (next.isMade) return true;
      node = next;
    }
    return true;
  }
}

/** Which engine the overrides choose for the tree; `unsaid` where they leave that to others, `other` also where parts are chosen. */
function engineOf(trainer: ComposedTrainer, overrides: readonly Override[]): "veomni" | "unsaid" | "other" {
  const chosen = new Set<string>();
  for (const { keyPath, package: ofPackage, value, alternative, operator } of overrides) {
    const isChoice = ENGINE_CHOICE[trainer].includes(keyPath);
    const isPart = !keyPath.includes(".") && (composedRootKeys(trainer).includes(keyPath) || keyPath.includes("/"));
    if (!isChoice && (ofPackage !== undefined || keyPath.includes("/") || (isPart && value?.kind !== "dict")))
      return "other";
    if (!isChoice) continue;
    if (operator === "delete" || alternative !== undefined || value?.kind !== "string" || value.text !== "veomni")
      return "other";
    chosen.add(keyPath);
  }
  return chosen.size === ENGINE_CHOICE[trainer].length ? "veomni" : "unsaid";
}

interface Call {
  readonly text: string;
  readonly trainer: ComposedTrainer;
  readonly overrides: readonly Override[];
}

function findingFor(call: Call, override: Override): readonly Diagnostic[] {
  const { keyPath, operator } = override;
  const entry = composedEntry(call.trainer, keyPath);
  const above = composedAbove(call.trainer, keyPath);
  const aboveEntry = composedEntry(call.trainer, above);
  if (operator === "addOrSet") return [];
  if (operator === "add" && entry !== undefined) return plusFinding(call, override, entry);
  if (aboveEntry?.kind === "value" && entry === undefined) return belowValue(override, above, aboveEntry);
  if (operator === "add") return [];
  if (entry !== undefined)
    return operator === "delete" ? deletionOfNull(override, entry) : dictFindings(call, override);
  if (aboveEntry?.kind === "open" && operator === "set") return [missingPlus(call, override, above)];
  return [missing(call, override, above)];
}

type ValueEntry = Extract<ComposedEntry, { kind: "value" }>;

/** A key below a value: only what adds it makes a mapping of the value, and nothing makes one of a list. */
function belowValue(override: Override, above: string, entry: ValueEntry): readonly Diagnostic[] {
  const { keyPath, keySpan, operator } = override;
  const isIndex = /^\d+(?:\.|$)/.test(keyPath.slice(above.length + 1));
  if (entry.isList ? isIndex : operator === "add") return [];
  const isSure = entry.isEverywhere && !entry.isEmpty && !entry.isReference;
  const what = entry.isList ? "a list" : "a value";
  const message = `In verl's tree ${shownWord(above)} is ${what}, which holds no keys, so Hydra stops at this one.`;
  return [diagnosticOf(notInStruct.code, { span: keySpan, severity: isSure ? "error" : "warning", message })];
}

function deletionOfNull({ keyPath, keySpan }: Override, entry: ComposedEntry): readonly Diagnostic[] {
  if (entry.kind !== "value" || !entry.isEmpty) return [];
  const message = `${shownWord(keyPath)} is null in verl's tree, and Hydra says of a null that it does not exist when it is to be deleted.`;
  const severity = entry.isEverywhere && !entry.isReference ? "error" : "warning";
  return [diagnosticOf(notInStruct.code, { span: keySpan, severity, message })];
}

/** A dict that is set is merged into the mapping that stands there, which takes no new keys, and never into a list. */
function dictFindings({ trainer }: Call, { keyPath, keySpan, value }: Override): readonly Diagnostic[] {
  return value?.kind === "dict" ? entriesInto(trainer, keyPath, keySpan, value.entries) : [];
}

function entriesInto(
  trainer: ComposedTrainer,
  path: string,
  span: TextSpan,
  entries: readonly DictEntry[],
): readonly Diagnostic[] {
  const at = composedEntry(trainer, path);
  if (at?.kind === "value" && at.isList && at.isEverywhere && entries.length > 0) {
    const message = `${shownWord(path)} is a list in verl's tree; Hydra merges no keys into it.`;
    return [diagnosticOf(notInStruct.code, { span, severity: "error", message })];
  }
  if (at === undefined || at.kind === "value") return [];
  return entries.flatMap(({ key, keySpan, value }) => {
    const below = `${path}.${key}`;
    if (composedEntry(trainer, below) !== undefined) {
      return value.kind === "dict" ? entriesInto(trainer, below, keySpan, value.entries) : [];
    }
    const isSure = at.kind === "open";
    const message = `${shownWord(path)} has no ${shownWord(key)} in verl ${recordedReleases}, and a dict that is set adds no keys: Hydra stops ("not in struct"). With ++ in front of the override it adds them.`;
    return [diagnosticOf(notInStruct.code, { span: keySpan, severity: isSure ? "error" : "warning", message })];
  });
}

function missingPlus({ text }: Call, override: Override, above: string): Diagnostic {
  const edit = operatorEdit(text, override, "+");
  return diagnosticOf(notInStruct.code, {
    span: override.keySpan,
    severity: "error",
    message: `${shownWord(above)} is empty in verl's YAML, so Hydra stops at a key that is set in it ("not in struct"). A leading + adds it.`,
    fixes: edit === undefined ? [] : [{ title: "Add a leading +", edits: [edit] }],
  });
}

function plusFinding({ text, overrides }: Call, override: Override, entry: ComposedEntry): readonly Diagnostic[] {
  if (entry.kind !== "value" || entry.isEmpty || !entry.isEverywhere) return [];
  // What a reference leads to may be emptied by an override in front of this one.
  if (entry.isReference && overrides.some(({ value }) => value === undefined || value.kind === "null")) return [];
  if (override.value === undefined || override.value.kind === "list" || override.value.kind === "dict") return [];
  const edit = operatorEdit(text, override, "");
  return [
    diagnosticOf(overridePlusExisting.code, {
      span: override.keySpan,
      severity: "error",
      message: `${shownWord(override.keyPath)} is in the composed tree, so Hydra refuses to add it.`,
      fixes: edit === undefined ? [] : [{ title: "Remove the +", edits: [edit] }],
    }),
  ];
}

function missing(call: Call, override: Override, above: string): Diagnostic {
  const { trainer } = call;
  const { keyPath } = override;
  const foreign = partOfOtherEngines(trainer, keyPath);
  const moved = movedInto(trainer, keyPath);
  const similar = foreign === undefined && moved === undefined ? similarKey(trainer, keyPath, above) : undefined;
  const isCertain = foreign !== undefined || moved !== undefined || similar !== undefined;
  const stops = override.operator === "delete" ? "Hydra cannot delete it" : 'Hydra stops ("not in struct")';
  const where = `The tree that the VeOmni engine composes has no ${shownWord(keyPath)}`;
  return diagnosticOf(notInStruct.code, {
    span: override.keySpan,
    severity: isCertain ? "error" : "warning",
    message: isCertain
      ? `${where}, so ${stops}. ${adviceOf(foreign, moved, similar)}`
      : `${where} in verl ${recordedReleases}; where it is missing, ${stops}. A leading + adds a key.`,
    fixes: fixesOf(call, override, moved ?? similar, foreign),
  });
}

function adviceOf(foreign: string | undefined, moved: string | undefined, similar: string | undefined): string {
  if (moved !== undefined) return `Here it is ${shownWord(moved)}.`;
  if (similar !== undefined) return `Did you mean ${shownWord(similar)}?`;
  return `${shownWord(foreign ?? "")} belongs to other engines; it has no counterpart here.`;
}

function similarKey(trainer: ComposedTrainer, keyPath: string, above: string): string | undefined {
  const entry = above === "" ? undefined : composedEntry(trainer, above);
  const keys = entry?.kind === "mapping" ? entry.keys : composedRootKeys(trainer);
  const rest = (above === "" ? keyPath : keyPath.slice(above.length + 1)).split(".");
  const nearest = nearestSpelling(rest[0] ?? "", keys);
  if (nearest === undefined) return undefined;
  const path = [...(above === "" ? [] : [above]), nearest, ...rest.slice(1)].join(".");
  return composedEntry(trainer, path) === undefined ? undefined : path;
}

function fixesOf(
  { text, overrides }: Call,
  override: Override,
  target: string | undefined,
  foreign: string | undefined,
): readonly QuickFix[] {
  const { keySpan, keyPath } = override;
  const isSetAlready = target !== undefined && overrides.some((other) => other.keyPath === target);
  if (target !== undefined && !isSetAlready && !keepsValue(keyPath)) return [];
  if (target !== undefined && !isSetAlready && text.slice(keySpan.start, keySpan.end) === keyPath) {
    return [{ title: `Rename to ${shownWord(target)}`, edits: [{ span: keySpan, newText: target }] }];
  }
  const removal = isSetAlready || foreign !== undefined ? removeWord(text, override) : undefined;
  return removal === undefined ? [] : [{ title: "Remove this override", edits: [removal] }];
}
