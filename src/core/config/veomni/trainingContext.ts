import type { ConfigDocument } from "../document/configDocument.js";
import { asMapping, entryOf, type MappingEntry, type MappingNode } from "../document/configNode.js";
import { type FlagCarrier, type YamlCarrier, yamlCarrier } from "../rules/carrier.js";
import type { RuleContext } from "../rules/rule.js";
import { classifyKey, type KeyClass } from "./classifyKey.js";
import { detectLayout, type LayoutDetection } from "./detectLayout.js";
import { fieldNamed } from "./fields/fieldTable.js";
import type { RecordedTask } from "./fields/taskKeys.js";
import type { TrainerKind, TrainingField } from "./fields/trainingField.js";
import type { LayoutId } from "./layout.js";
import { pathIn } from "./layouts.js";
import { trainersOf } from "./trainer.js";
import { type WrittenKey, writtenKeys } from "./writtenKeys.js";

/** What rules may look at: the file, its layout and trainers, and every key that it writes. */
export interface TrainingContext extends RuleContext {
  readonly carrier: YamlCarrier | TaskFlags;
  readonly detection: LayoutDetection;
  readonly layout: LayoutId;
  readonly trainers: readonly TrainerKind[];
  readonly written: readonly WrittenKey[];
  /** Written keys that the layout does not know, with the reason; the first 500. */
  readonly strays: readonly StrayWrittenKey[];
}

/** The flags of a task: a YAML file may set what they leave out, so an absent key is not at its default. */
export interface TaskFlags extends FlagCarrier {
  readonly started: StartedTask;
}

/** The task of a command line: one of VeOmni's own whose keys are recorded, or one that may declare any. */
export type StartedTask = { readonly kind: "recorded"; readonly task: RecordedTask } | { readonly kind: "open" };

/** A key that its layout does not know. */
export interface StrayWrittenKey {
  readonly written: WrittenKey;
  readonly found: KeyClass;
}

/** What the command line starts; nothing of a YAML file, which any task may read. */
export function startedTask({ carrier }: TrainingContext): StartedTask | undefined {
  return carrier.kind === "flag" ? carrier.started : undefined;
}

const maxStrays = 500;

/** Prepares a parsed training config for its rules. */
export function trainingContext(path: string, document: ConfigDocument, option?: LayoutId): TrainingContext {
  const detection = detectLayout(document, option);
  const { layout } = detection;
  const written = writtenKeys(document, layout);
  return {
    path,
    document,
    carrier: yamlCarrier,
    detection,
    layout,
    trainers: trainersOf(path, document),
    written,
    strays: straysIn(written, layout),
  };
}

function straysIn(all: readonly WrittenKey[], layout: LayoutId): readonly StrayWrittenKey[] {
  const unknown = all.filter((written) => written.field === undefined).slice(0, maxStrays);
  return unknown.flatMap((written) => {
    const found = classifyKey(written, layout);
    return found === undefined ? [] : [{ written, found }];
  });
}

/** One key where the layout wants it. */
export interface PlacedKey {
  readonly field: TrainingField;
  readonly path: string;
  readonly entry: MappingEntry;
  readonly container: MappingNode;
}

/** Fifty rules ask for the same few keys. */
const placedKeys = new WeakMap<TrainingContext, Map<string, PlacedKey | "absent">>();

/** The key of the row with that name, if the file writes it where its layout reads it. */
export function placedKey(context: TrainingContext, name: string): PlacedKey | undefined {
  const known = placedKeys.get(context) ?? new Map<string, PlacedKey | "absent">();
  const present = known.get(name);
  if (present !== undefined) return present === "absent" ? undefined : present;
  const found = findKey(context, name);
  placedKeys.set(context, known.set(name, found ?? "absent"));
  return found;
}

function findKey({ document, layout }: TrainingContext, name: string): PlacedKey | undefined {
  const field = fieldNamed(name);
  const path = pathIn(field, layout);
  if (path === undefined) return undefined;
  const segments = path.split(".");
  let container = asMapping(document.root);
  for (const segment of segments.slice(0, -1)) container = asMapping(entryOf(container, segment)?.value);
  const entry = entryOf(container, segments.at(-1) ?? "");
  return entry === undefined || container === undefined ? undefined : { field, path, entry, container };
}

/** Where the layout of a file has the key of that name; `undefined` when it has none. */
export function pathOf(context: TrainingContext, name: string): string | undefined {
  return pathIn(fieldNamed(name), context.layout);
}
