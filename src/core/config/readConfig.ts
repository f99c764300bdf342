import type { ConfigDocument } from "./document/configDocument.js";
import type { OffloadSettings } from "./document/offloadSettings.js";
import { type CommandFile, holdsOverrides, readCommands } from "./overrides/calls.js";
import { commandDialect, commandSettings } from "./overrides/overrideSettings.js";
import { isMarkdown, readFences, type YamlFence } from "./shell/fences.js";
import type { LayoutId } from "./veomni/layout.js";
import { mightBeTraining } from "./veomni/recogniseTraining.js";
import { readTrainingFile, type TrainingFile } from "./veomni/trainingFile.js";
import { trainingSettingsOf } from "./veomni/trainingSettings.js";
import { mightBeRelevant } from "./verl/recognise.js";
import { readVerlFile, type VerlFile } from "./verl/verlFile.js";
import { verlFileSettings } from "./verl/verlSettings.js";

/** What a caller may say about a file. */
export interface ReadOptions {
  /** The layout of VeOmni's own training YAML, where the file does not pin one itself. */
  readonly layout?: LayoutId;
}

/** A YAML text of ours: `form` says whose. */
export type YamlConfig = VerlFile | TrainingFile;

/** A fenced block of YAML in a Markdown file, read like a file. */
export interface ReadFence extends YamlFence {
  readonly yaml: YamlConfig;
}

/** Values for `${oc.env:…}`; without one only defaults count. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A configuration, read once: whoever checks it, explains it, shows it or writes into it takes this value and asks nothing of the
 * text again. A YAML file has `yaml`, a script `commands`, a Markdown file `commands` and `fences`.
 */
export interface ReadConfig {
  readonly path: string;
  /** As the caller gave it. */
  readonly text: string;
  readonly options: ReadOptions;
  readonly yaml?: YamlConfig;
  readonly commands?: CommandFile;
  readonly fences: readonly ReadFence[];
}

/**
 * Reads a configuration: YAML of verl's VeOmni engine or of VeOmni's trainers, the command lines of scripts, both in the blocks of
 * Markdown. `undefined` for every other file. A broken text gives what could still be read. Never throws, whatever the text is.
 */
export function readConfig(path: string, text: string, options: ReadOptions = {}): ReadConfig | undefined {
  if (!holdsOverrides(path)) {
    const yaml = readYaml(path, text, options);
    return yaml && { path, text, options, yaml, fences: [] };
  }
  const commands = readCommands(path, text);
  const fences = isMarkdown(path) ? fencesOf(path, text, options) : [];
  if (commands === undefined && fences.length === 0) return undefined;
  return { path, text, options, fences, ...(commands && { commands }) };
}

/** A cheap test that unrelated files fail without being read; a broken text may pass it and still be unreadable. */
export function mightBeConfig(path: string, text: string): boolean {
  return mightBeRelevant(path, text) || mightBeTraining(path, text);
}

/** What a file speaks: `verl`, or a layout of VeOmni's training YAML; of several parts the first one counts. */
export function dialectOf({ yaml, commands, fences }: ReadConfig): string {
  if (commands !== undefined) return commandDialect(commands);
  return yamlDialect(yaml ?? fences[0]?.yaml);
}

/**
 * What a file says about activation offload: one element for each engine block, or for what its command lines set. Texts with
 * references are resolved as far as file and environment can.
 */
export function settingsOf({ yaml, commands }: ReadConfig, environment: Environment = {}): OffloadSettings[] {
  if (commands !== undefined) return commandSettings(commands, environment);
  if (yaml === undefined) return [];
  return yaml.form === "training" ? [trainingSettingsOf(yaml.context)] : verlFileSettings(yaml, environment);
}

/** Reads and asks in one step, for callers that need nothing else of the file. */
export function readOffloadSettings(
  path: string,
  text: string,
  environment: Environment = {},
  options: ReadOptions = {},
): OffloadSettings[] {
  const read = readConfig(path, text, options);
  return read === undefined ? [] : settingsOf(read, environment);
}

/** The parsed text of a YAML file. */
export function documentOf(yaml: YamlConfig): ConfigDocument {
  return yaml.form === "verl" ? yaml.document : yaml.context.document;
}

function readYaml(path: string, text: string, { layout }: ReadOptions): YamlConfig | undefined {
  return readTrainingFile(path, text, layout) ?? readVerlFile(path, text);
}

function fencesOf(path: string, text: string, options: ReadOptions): readonly ReadFence[] {
  return readFences(text).flatMap((fence, index) => {
    const yaml = readYaml(`${path}.${index + 1}.yaml`, fence.readable, options);
    return yaml === undefined ? [] : [{ ...fence, yaml }];
  });
}

function yamlDialect(yaml: YamlConfig | undefined): string {
  return yaml?.form === "training" ? yaml.context.layout : "verl";
}
