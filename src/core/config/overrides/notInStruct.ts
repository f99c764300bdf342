import { nearestSpelling } from "../../base/spelling.js";
import type { Diagnostic, QuickFix } from "../document/diagnostic.js";
import { scriptExample } from "../rules/example.js";
import { diagnosticOf, type RuleFacts } from "../rules/rule.js";
import type { Override } from "../shell/overrides.js";
import {
  type ComposedTrainer,
  composedAbove,
  composedEntry,
  composedRootKeys,
  partOfOtherEngines,
  recordedReleases,
} from "../verl/composedTree.js";
import { movedInto } from "../verl/engineMoves.js";
import { operatorEdit, removeWord } from "./overrideEdits.js";
import { overridePlusExisting } from "./overrideFacts.js";

export const notInStruct: RuleFacts = {
  code: "not-in-struct",
  severities: ["error", "warning"],
  explanation:
    'Hydra composes one tree from the files of the chosen engine and stops with "not in struct" at an override of a key that the tree does not hold. What the FSDP engine has in fsdp_config is in veomni here. A leading + adds a key, ++ adds or overrides, ~ deletes. The trees are recorded from releases of verl.',
  example: {
    ...scriptExample(
      "python3 -m verl.trainer.main_ppo model_engine=veomni \\",
      "  actor_rollout_ref.actor.fsdp_config.param_offload=True",
    ),
  },
};

/** Blocks that the tables of fields judge. */
const JUDGED_ELSEWHERE = /(?:^|\.)(?:veomni|optim)(?:\.|$)|^(?:engine|hydra)(?:\.|$)/;
const ENGINE_CHOICE: Readonly<Record<ComposedTrainer, readonly string[]>> = {
  ppo: ["model_engine"],
  sft: ["engine", "optim"],
};

/**
 * Compares what one call sets outside of the engine block with the tree that its trainer composes for the VeOmni engine. Silent
 * unless the call names verl's own trainer with its own configuration and the engine, and chooses no other parts.
 */
export function structFindings(text: string, overrides: readonly Override[]): readonly Diagnostic[] {
  const trainer = overrides[0]?.composes;
  if (trainer === undefined || !composesVeomni(trainer, overrides)) return [];
  const added: string[] = [];
  return overrides.flatMap((override) => {
    const { keyPath, operator } = override;
    if (operator === "add" || operator === "addOrSet") added.push(keyPath);
    const isAdded = added.some((path) => operator === "set" && reaches(path, keyPath));
    if (isAdded || override.trap?.code === "cut-off" || JUDGED_ELSEWHERE.test(keyPath)) return [];
    return findingFor({ text, trainer, overrides }, override);
  });
}

/** True when adding `added` makes `keyPath` exist. */
function reaches(added: string, keyPath: string): boolean {
  return added === keyPath || added.startsWith(`${keyPath}.`) || keyPath.startsWith(`${added}.`);
}

function composesVeomni(trainer: ComposedTrainer, overrides: readonly Override[]): boolean {
  const chosen = new Set<string>();
  for (const { keyPath, package: ofPackage, value, alternative, operator } of overrides) {
    const isChoice = ENGINE_CHOICE[trainer].includes(keyPath);
    const isPart = !keyPath.includes(".") && (composedRootKeys(trainer).includes(keyPath) || keyPath.includes("/"));
    if (!isChoice && (ofPackage !== undefined || keyPath.includes("/") || (isPart && value?.kind !== "dict")))
      return false;
    if (!isChoice) continue;
    if (operator === "delete" || alternative !== undefined || value?.kind !== "string" || value.text !== "veomni")
      return false;
    chosen.add(keyPath);
  }
  return chosen.size === ENGINE_CHOICE[trainer].length;
}

interface Call {
  readonly text: string;
  readonly trainer: ComposedTrainer;
  readonly overrides: readonly Override[];
}

function findingFor(call: Call, override: Override): readonly Diagnostic[] {
  const { keyPath, operator } = override;
  const entry = composedEntry(call.trainer, keyPath);
  if (operator === "add") return plusFinding(call, override);
  if (entry !== undefined || (operator !== "set" && operator !== "delete")) return [];
  const above = composedAbove(call.trainer, keyPath);
  const aboveEntry = composedEntry(call.trainer, above);
  if (aboveEntry?.kind === "open" && operator === "set") return [missingPlus(call, override, above)];
  // An index of a list, and what stands below a value that another file may make a mapping.
  if (aboveEntry?.kind === "value") return [];
  return [missing(call, override, above)];
}

function missingPlus({ text }: Call, override: Override, above: string): Diagnostic {
  const edit = operatorEdit(text, override, "+");
  return diagnosticOf(notInStruct.code, {
    span: override.keySpan,
    severity: "error",
    message: `${shown(above)} is empty in verl's YAML, so Hydra stops at a key that is set in it ("not in struct"). A leading + adds it.`,
    fixes: edit === undefined ? [] : [{ title: "Add a leading +", edits: [edit] }],
  });
}

function plusFinding({ text, trainer }: Call, override: Override): readonly Diagnostic[] {
  const entry = composedEntry(trainer, override.keyPath);
  if (entry?.kind !== "value" || entry.isEmpty || !entry.isEverywhere) return [];
  if (override.value === undefined || override.value.kind === "list" || override.value.kind === "dict") return [];
  const edit = operatorEdit(text, override, "");
  return [
    diagnosticOf(overridePlusExisting.code, {
      span: override.keySpan,
      severity: "error",
      message: `${shown(override.keyPath)} is in the composed tree, so Hydra refuses to add it.`,
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
  const where = `The tree that the VeOmni engine composes has no ${shown(keyPath)}`;
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
  if (moved !== undefined) return `Here it is ${shown(moved)}.`;
  if (similar !== undefined) return `Did you mean ${shown(similar)}?`;
  return `${shown(foreign ?? "")} belongs to other engines; it has no counterpart here.`;
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
  if (target !== undefined && !isSetAlready && text.slice(keySpan.start, keySpan.end) === keyPath) {
    return [{ title: `Rename to ${shown(target)}`, edits: [{ span: keySpan, newText: target }] }];
  }
  const removal = isSetAlready || foreign !== undefined ? removeWord(text, override) : undefined;
  return removal === undefined ? [] : [{ title: "Remove this override", edits: [removal] }];
}

function shown(path: string): string {
  return path.length <= 120 ? path : `${path.slice(0, 120)}…`;
}
