import { shownWord } from "../../../base/shownWord.js";
import { asMapping, entryOf, type MappingEntry, type MappingNode } from "../../document/configNode.js";
import type { QuickFix, TextEdit } from "../../document/diagnostic.js";
import { removeFix } from "../../document/edits.js";
import { moveEntry } from "../../document/moveEntry.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { keepsValue } from "../engineMoves.js";
import { engineOnlyKeys, homeOf, type KeyHome, offloadKeys } from "../fields/verlHomes.js";
import { modelPathOf } from "../recognise.js";
import { writtenFields } from "../writtenFields.js";
import { refusedKey } from "./refusedKey.js";
import { moveFix } from "./switchFixes.js";

/** A key one level too high or too low. */
export const misplacedKey: BlockRule = {
  code: "misplaced-key",
  severities: ["error"],
  explanation:
    "The engine's keys live in the veomni block, those of the policy one level up, those of the model in model, those of the optimizer in optim. Each level is a dataclass of its own that refuses the keys of the others.",
  example: fileExample(
    "actor_rollout_ref:",
    "  actor:",
    "    enable_async_activation_offload: true",
    "    veomni:",
    "      seed: 42",
  ),
  check: (context) => [
    ...tooLow(context),
    ...tooHigh(context, context.block.role === "sft" ? undefined : context.block.parent, engineOnlyKeys),
    ...tooHigh(context, context.block.model?.mapping, offloadKeys),
    ...underEngine(context),
  ],
};

function tooLow(context: BlockContext): readonly Finding[] {
  const { block } = context;
  return writtenFields(block).flatMap(({ path: key, entry, container, field }) => {
    const home = field === undefined && container === block.mapping ? homeOf(block, key) : undefined;
    if (home === undefined) return [];
    if (home.place === "rl") return [withoutHome(context, container, entry)];
    const place = placeName(context, home);
    return [
      refusedKey(context, entry, {
        span: entry.keySpan,
        severity: "error",
        message: `${key} is no key of the engine block, so building its config fails. It belongs to ${place}${key === home.key ? "" : `, as ${home.key}`}.`,
        fixes: [
          ...(key === home.key || keepsValue(key)
            ? moveFix(`Move to ${place}`, context, container, entry, mappingOf(context, home), `${place}.${home.key}`)
            : []),
          ...removeFix(`Remove ${key}`, context, container, entry),
        ],
      }),
    ];
  });
}

/** In SFT: a key that only reinforcement learning has. */
function withoutHome(context: BlockContext, container: MappingNode, entry: MappingEntry): Finding {
  return refusedKey(context, entry, {
    span: entry.keySpan,
    severity: "error",
    message: `${entry.key} is no key of the engine block, so building its config fails. Reinforcement learning has it in the policy; SFT has nothing like it.`,
    fixes: removeFix(`Remove ${entry.key}`, context, container, entry),
  });
}

function tooHigh(
  context: BlockContext,
  mapping: MappingNode | undefined,
  keys: ReadonlySet<string>,
): readonly Finding[] {
  if (mapping === undefined) return [];
  const { block } = context;
  return mapping.entries
    .filter((entry) => keys.has(entry.key))
    .map((entry) =>
      refusedKey(context, entry, {
        span: entry.keySpan,
        severity: "error",
        message: `${entry.key} belongs into ${shownWord(block.path)}; here building the config fails.`,
        fixes: moveFix(
          `Move into ${shownWord(block.path)}`,
          context,
          mapping,
          entry,
          block.mapping,
          `${block.path}.${entry.key}`,
        ),
      }),
    );
}

/** A guide that circulates puts the engine's keys under `actor.engine`. */
function underEngine(context: BlockContext): readonly Finding[] {
  const { block } = context;
  const entry = block.role === "sft" ? undefined : entryOf(block.parent, "engine");
  const engine = asMapping(entry?.value);
  if (entry === undefined || engine === undefined || !engine.entries.some(isEngineKey)) return [];
  return [
    refusedKey(context, entry, {
      span: entry.keySpan,
      severity: "error",
      message: `verl mounts the engine's keys at ${shownWord(block.path)}; ${entry.key} is no key here.`,
      fixes: [...moveBlockFix(context, entry, engine), ...removeEngineFix(context, entry)],
    }),
  ];
}

function isEngineKey(entry: MappingEntry): boolean {
  return engineOnlyKeys.has(entry.key);
}

/** Brings all keys into the block that is read; nothing when both have a key in common. */
function moveBlockFix(context: BlockContext, entry: MappingEntry, engine: MappingNode): readonly QuickFix[] {
  const { block } = context;
  if (engine.entries.some(({ key }) => entryOf(block.mapping, key) !== undefined)) return [];
  const edits = movesOf(context, entry, engine);
  return edits === undefined || edits.length === 0 ? [] : [{ title: "Move its keys into veomni", edits }];
}

function movesOf(context: BlockContext, entry: MappingEntry, engine: MappingNode): readonly TextEdit[] | undefined {
  const { block, writer } = context;
  if (writer !== undefined) {
    const moves = engine.entries.map((each) => writer.move(each, `${block.path}.${each.key}`));
    return moves.every((move) => move !== undefined) ? moves : undefined;
  }
  if (block.mapping.entries.length === 0) return takePlaceOf(context, entry);
  const from = [...block.path.split(".").slice(0, -1), entry.key];
  return moveEntry(context.document, from, block.path.split("."));
}

/** An empty block gives way to the other, which takes its name. */
function takePlaceOf(context: BlockContext, entry: MappingEntry): readonly TextEdit[] | undefined {
  const { parent } = context.block;
  const empty = parent?.entries.find((each) => asMapping(each.value) === context.block.mapping);
  if (parent === undefined || empty === undefined) return undefined;
  const removed = removeFix("", context, parent, empty)[0]?.edits;
  return removed === undefined ? undefined : [{ span: entry.keySpan, newText: empty.key }, ...removed];
}

function removeEngineFix(context: BlockContext, entry: MappingEntry): readonly QuickFix[] {
  return context.block.parent === undefined ? [] : removeFix("Remove engine", context, context.block.parent, entry);
}

function placeName(context: BlockContext, home: KeyHome): string {
  const { block } = context;
  const above = block.path.split(".").slice(0, -1).join(".");
  if (home.place === "model") return modelPathOf(block);
  if (home.place === "data" || home.place === "trainer") return home.place;
  if (home.place === "optim") return above === "" ? "optim" : `${above}.optim`;
  return above === "" ? "the policy above it" : above;
}

function mappingOf(context: BlockContext, home: KeyHome): MappingNode | undefined {
  const { block } = context;
  if (home.place === "model") return block.model?.mapping;
  if (home.place !== "role") return asMapping(entryOf(block.parent, home.place)?.value);
  return block.role === "sft" ? undefined : block.parent;
}
