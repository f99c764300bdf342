import { fail, type Outcome, succeed } from "../../base/outcome.js";
import { ASYNC_OFFLOAD, NO_OFFLOAD } from "../../profile/strategies.js";
import type { SweepPoint } from "../../sweep/points.js";
import { asMapping, entryOf, type MappingEntry, type MappingNode, nodeAt, scalarOf } from "../document/configNode.js";
import type { TextEdit } from "../document/diagnostic.js";
import { addEntriesAfter, setValue } from "../document/edits.js";
import type { OffloadSettings } from "../document/offloadSettings.js";
import { followsVerlFormat } from "../document/verlFormat.js";
import { holdsOverrides } from "../overrides/calls.js";
import { documentOf, type ReadConfig, readConfig, settingsOf, type YamlConfig } from "../readConfig.js";
import { asyncSwitch, checkpointing, gpuLimit, syncSwitch } from "../veomni/offloadNames.js";
import { pathOf } from "../veomni/trainingContext.js";
import { modelPathOf } from "../verl/recognise.js";
import { endsLinesWithReturns, withReturns } from "../yaml/lineBreaks.js";
import { commentOut } from "./commentOut.js";
import { editableText } from "./editedLines.js";
import { patternListEdit } from "./patternListEdit.js";

const SWITCH_KEY = "enable_async_activation_offload";
const MODULES_KEY = "activation_offload_modules";
const CACHE_KEY = "activation_offload_host_cache_limit_gb";

/** One edit of the whole text, and what it could not say. */
export interface ChoiceEdit {
  readonly edit: TextEdit;
  readonly notes: readonly string[];
}

/** Strategies that a VeOmni configuration can say. */
export function isWritable({ strategy }: Pick<SweepPoint, "strategy">): boolean {
  return strategy === NO_OFFLOAD || strategy === ASYNC_OFFLOAD;
}

/**
 * The edit that makes one engine block of a YAML file say what a point of a sweep is: the switch of async offload, its patterns and
 * cache limit, and gradient checkpointing. Without offload the lines of patterns and limit become comments, as nothing would read
 * them; synchronous offload, which no point has, is switched off. What the file says already is not touched. Fails with `SWEEP_STRATEGY_FOREIGN`,
 * `SWEEP_SCRIPT`, `SWEEP_NO_BLOCK`, `SWEEP_NO_ASYNC` and the problems of `patternListEdit`.
 */
export function choiceEdit(
  path: string,
  read: ReadConfig | undefined,
  blockPath: string,
  choice: SweepPoint,
): Outcome<ChoiceEdit> {
  if (!isWritable(choice)) return fail(foreignStrategy(choice.strategy));
  if (holdsOverrides(path)) return fail(script(path));
  const { readable } = editableText(read?.text ?? "");
  const plain = read === undefined || readable === read.text ? read : readConfig(path, readable, read.options);
  if (read === undefined || plain === undefined) return fail(noBlock(path, blockPath));
  const writer = new ChoiceWriter(plain, blockPath);
  const written = writer.write(choice);
  if (!written.ok) return written;
  const edit = oneEdit(readable, written.value);
  const newText = endsLinesWithReturns(read.text) ? withReturns(edit.newText) : edit.newText;
  return succeed({ edit: { ...edit, newText }, notes: writer.notes });
}

class ChoiceWriter {
  readonly notes: string[] = [];
  private readonly path: string;
  private readonly isTraining: boolean;
  private text: string;
  /** What `text` says; absent: an edit broke the file. */
  private yaml: YamlConfig | undefined;

  constructor(
    private readonly read: ReadConfig,
    private readonly blockPath: string,
  ) {
    this.path = read.path;
    this.text = read.text;
    this.yaml = read.yaml;
    this.isTraining = read.yaml?.form === "training";
  }

  write(choice: SweepPoint): Outcome<string> {
    const settings = this.#settings();
    if (settings === undefined) return fail(noBlock(this.path, this.blockPath));
    const offloads = choice.strategy === ASYNC_OFFLOAD;
    if ((settings.enabled ?? false) !== offloads) {
      const key = this.isTraining ? "enable_async_activation" : SWITCH_KEY;
      if (!this.#set(this.blockPath, key, String(offloads), "Move saved activations to the host.")) {
        return fail(noBlock(this.path, this.blockPath));
      }
    }
    // Asked with the switch written: where two layouts differ in nothing else, it decides which one the file has.
    if (offloads && this.isTraining && this.#placeOf(asyncSwitch, "") === undefined) return fail(noAsync(this.path));
    if (offloads) {
      const patterns = this.#setPatterns(choice.patterns ?? []);
      if (!patterns.ok) return patterns;
      this.#setLimit(choice.cacheLimitGb ?? 4);
    } else {
      this.#silence(MODULES_KEY, "[]");
      this.#silence(CACHE_KEY, "4.0");
    }
    this.#endSynchronous();
    this.#setCheckpointing(choice.gradientCheckpointing);
    this.#noteMicroBatch(choice.microBatch);
    return succeed(this.text);
  }

  #settings(): OffloadSettings | undefined {
    const read = this.#read();
    return read && settingsOf(read).find((block) => block.blockPath === this.blockPath);
  }

  #read(): ReadConfig | undefined {
    const { text, yaml } = this;
    return yaml && { ...this.read, text, yaml };
  }

  #setPatterns(patterns: readonly string[]): Outcome<undefined> {
    const [read, settings] = [this.#read(), this.#settings()];
    if (read === undefined || settings === undefined) return fail(noBlock(this.path, this.blockPath));
    const written = settings.patterns;
    const isSame = Array.isArray(written) && written.join("\n") === patterns.join("\n");
    if (isSame) return succeed(undefined);
    const edit = patternListEdit(read, settings, patterns);
    if (!edit.ok) return edit;
    this.#apply(edit.value);
    return succeed(undefined);
  }

  #setLimit(limitGb: number): void {
    if ((this.#settings()?.cacheLimitGb ?? 4) === limitGb) return;
    const value = Number.isInteger(limitGb) ? `${limitGb}.0` : String(limitGb);
    if (this.#set(this.blockPath, CACHE_KEY, value, "GiB of idle pinned memory that the pool may keep.")) return;
    this.notes.push(`Set ${CACHE_KEY} to ${value} yourself.`);
  }

  /** Takes a key out of force that is not read without the switch; where something refers to it, it gets a value that says nothing. */
  #silence(key: string, emptyText: string, containerPath = this.blockPath): void {
    const found = this.#entryAt(containerPath, key);
    if (found === undefined) return;
    const { container, entry } = found;
    const before = this.#problems(this.yaml);
    const isNamed = new RegExp(`\\$\\{[^\\n{}]*\\b${key}\\b`).test(this.text);
    const edit = isNamed ? setValue(this.text, entry, emptyText) : commentOut(this.text, container, entry);
    const after = edit === undefined ? undefined : readConfig(this.path, applied(this.text, edit), this.read.options);
    // An anchor in the entry, or an alias for it, may be all that other places have.
    if (after !== undefined && this.#problems(after.yaml) <= before) this.#take(after);
    else this.notes.push(`Remove ${key} yourself: with this choice nothing reads it.`);
  }

  /** Also the limit on the device that only the synchronous mode reads. */
  #endSynchronous(): void {
    const place = this.#placeOf(syncSwitch, "enable_activation_offload");
    const value = scalarOf(place && this.#entryAt(place.container, place.key)?.entry.value);
    if (place !== undefined && value?.type === "bool" && value.value) {
      this.#set(place.container, place.key, "false", "");
    }
    const limit = this.isTraining ? this.#placeOf(gpuLimit, "") : undefined;
    if (limit !== undefined) this.#silence(limit.key, "0.0", limit.container);
  }

  #setCheckpointing(isOn: boolean): void {
    if ((this.#settings()?.gradientCheckpointing ?? true) === isOn) return;
    const place = this.#placeOf(checkpointing, "enable_gradient_checkpointing");
    const isSet =
      place !== undefined && this.#set(place.container, place.key, String(isOn), "Recompute layers in backward.");
    if (!isSet)
      this.notes.push(`Switch gradient checkpointing ${isOn ? "on" : "off"} yourself: this file does not set it.`);
  }

  /** Where a setting beside the block stands: `name` in VeOmni's training YAML, `verlKey` of the model in verl's. */
  #placeOf(name: string, verlKey: string): { readonly container: string; readonly key: string } | undefined {
    const { yaml } = this;
    if (yaml?.form === "training") {
      const segments = pathOf(yaml.context, name)?.split(".");
      const key = segments?.pop();
      return segments === undefined || key === undefined ? undefined : { container: segments.join("."), key };
    }
    const block = yaml?.kind.blocks.find(({ path }) => path === this.blockPath);
    return block === undefined ? undefined : { container: modelPathOf(block), key: verlKey };
  }

  #noteMicroBatch(microBatch: number): void {
    const written = this.#settings()?.microBatch;
    if ((written ?? 1) === microBatch) return;
    this.notes.push(`The choice has a micro-batch of ${microBatch}; set that where your trainer takes it.`);
  }

  /** Sets or adds a key of a mapping that the file writes. */
  #set(containerPath: string, key: string, valueText: string, comment: string): boolean {
    const container = this.#containerAt(containerPath);
    if (container === undefined) return false;
    const entry = entryOf(container, key);
    const edit =
      entry === undefined ? this.#added(container, { key, valueText, comment }) : setValue(this.text, entry, valueText);
    if (edit === undefined) return false;
    if (entry === undefined || scalarOf(entry.value) !== undefined) this.#apply(edit);
    return true;
  }

  #containerAt(path: string): MappingNode | undefined {
    const root = this.yaml && documentOf(this.yaml).root;
    return asMapping(nodeAt(root, path === "" ? [] : path.split(".")));
  }

  #entryAt(path: string, key: string): { container: MappingNode; entry: MappingEntry } | undefined {
    const container = this.#containerAt(path);
    const entry = entryOf(container, key);
    return container === undefined || entry === undefined ? undefined : { container, entry };
  }

  #added(
    container: MappingNode,
    added: { readonly key: string; readonly valueText: string; readonly comment: string },
  ) {
    const anchor: MappingEntry | undefined =
      entryOf(container, "enable_async_activation_offload") ??
      entryOf(container, "enable_async_activation") ??
      container.entries.at(-1);
    if (anchor === undefined) return undefined;
    return addEntriesAfter(this.text, container, anchor, [added], followsVerlFormat(this.path));
  }

  #problems(yaml: YamlConfig | undefined): number {
    return yaml === undefined ? Infinity : documentOf(yaml).syntaxProblems.length;
  }

  #apply(edit: TextEdit): void {
    const text = applied(this.text, edit);
    this.#take(readConfig(this.path, text, this.read.options) ?? { text });
  }

  #take({ text, yaml }: Pick<ReadConfig, "text" | "yaml">): void {
    this.text = text;
    this.yaml = yaml;
  }
}

function applied(text: string, { span, newText }: TextEdit): string {
  return text.slice(0, span.start) + newText + text.slice(span.end);
}

/** From the first character that changed to the last. */
function oneEdit(before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < most - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  return { span: { start, end: before.length - tail }, newText: after.slice(start, after.length - tail) };
}

function foreignStrategy(strategy: string) {
  return {
    code: "SWEEP_STRATEGY_FOREIGN",
    message: `${strategy} is no setting of a VeOmni configuration.`,
    cause: "It belongs to other engines; the sweep shows it for comparison.",
    nextStep: `Choose a point without offload or with ${ASYNC_OFFLOAD}.`,
  };
}

function script(path: string) {
  return {
    code: "SWEEP_SCRIPT",
    message: `${path} is no YAML file.`,
    cause: "A choice is written into the block of a YAML configuration.",
    nextStep: "Name the YAML file, or write the overrides into the script yourself.",
  };
}

function noAsync(path: string) {
  return {
    code: "SWEEP_NO_ASYNC",
    message: `${path} has a layout that knows no async offload.`,
    cause: "The version of VeOmni that reads it has no such key.",
    nextStep: "Migrate the file to a newer layout first, or choose a point without offload.",
  };
}

function noBlock(path: string, blockPath: string) {
  return {
    code: "SWEEP_NO_BLOCK",
    message: `${path} has no place for the choice.`,
    cause: `The block ${blockPath === "" ? "of the engine" : blockPath} is not written in this file, or leaves no safe place.`,
    nextStep:
      "Give a verl config with actor_rollout_ref.actor.veomni, or VeOmni's training YAML with its offload block.",
  };
}
