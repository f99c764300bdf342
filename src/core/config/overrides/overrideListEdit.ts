import { fail, type Outcome, succeed } from "../../base/outcome.js";
import type { TextEdit } from "../document/diagnostic.js";
import type { OffloadSettings } from "../document/offloadSettings.js";
import type { Override } from "../shell/overrides.js";
import { hydraList, shellQuoted, writeValue } from "../shell/quoting.js";
import { type CommandFile, readCommands } from "./calls.js";
import { commandSettings } from "./overrideSettings.js";

const modulesKey = "activation_offload_modules";
const switchKeys = ["enable_async_activation_offload", "enable_async_activation"];

/**
 * The edit that makes a command line set exactly `patterns`: the value of its override is written anew in the quotes that stand
 * there, an absent override is added behind the switch. Fails with `PATTERN_LIST_NO_PLACE` where the value is put together from
 * several places, there is no safe place for a new word, or the list would be read otherwise.
 */
export function overrideListEdit(
  file: CommandFile,
  settings: OffloadSettings,
  patterns: readonly string[],
): Outcome<TextEdit> {
  const { path, text } = file;
  const [present, anchor] = findPlace(file, settings);
  const edit = present === undefined ? addBehind(text, anchor, patterns) : writeList(present, patterns);
  const arrives = edit !== undefined && isReadBack(path, text, edit, settings, patterns);
  return arrives ? succeed(edit) : fail(noPlace);
}

/** A script with open quotes or a broken command reads otherwise once something is written into it. */
function isReadBack(
  path: string,
  text: string,
  { span, newText }: TextEdit,
  { blockPath }: OffloadSettings,
  patterns: readonly string[],
): boolean {
  const changed = text.slice(0, span.start) + newText + text.slice(span.end);
  const again = readCommands(path, changed);
  const settings = again && commandSettings(again, {}).find((each) => each.blockPath === blockPath);
  return JSON.stringify(settings?.patterns) === JSON.stringify(patterns);
}

const noPlace = {
  code: "PATTERN_LIST_NO_PLACE",
  message: `${modulesKey} cannot be written into this command line.`,
  cause: "Its value is put together from several places, or the command leaves no safe place for a new word.",
  nextStep: "Write the override yourself; the Modules view copies the patterns.",
};

/** The override of the list, and that of the switch in the same block of the same call. */
function findPlace(
  { calls }: CommandFile,
  { modulesKeySpan, blockPath }: OffloadSettings,
): readonly [Override | undefined, Override | undefined] {
  if (modulesKeySpan !== undefined) {
    const present = calls
      .flat()
      .findLast(({ keySpan, keyPath }) => keySpan.end === modulesKeySpan.end && keyPath.endsWith(modulesKey));
    return [present, undefined];
  }
  const [, block = "", number = "1"] = /^(.*?)(?: \((\d+)\))?$/.exec(blockPath) ?? [];
  const call = calls[Number(number) - 1] ?? [];
  return [undefined, call.findLast(({ keyPath }) => switchKeys.some((key) => keyPath === `${block}.${key}`))];
}

function writeList({ dialect, writable }: Override, patterns: readonly string[]): TextEdit | undefined {
  if (writable === undefined) return undefined;
  if (dialect === "verl") return writeValue(writable, hydraList(patterns));
  return { span: writable.span, newText: patterns.map(shellQuoted).join(" ") };
}

/** A word of its own behind the switch, whose value must stand outside of quotes and end its word. */
function addBehind(text: string, anchor: Override | undefined, patterns: readonly string[]): TextEdit | undefined {
  const place = anchor?.writable;
  if (anchor === undefined || place === undefined || place.quotes !== "none") return undefined;
  const { end } = place.span;
  if (!/^$|[\s)]/.test(text[end] ?? "")) return undefined;
  const key = anchor.keyPath.replace(/[^.]+$/, modulesKey);
  const word =
    anchor.dialect === "verl"
      ? `${key}=${shellQuoted(hydraList(patterns))}`
      : `--${key} ${patterns.map(shellQuoted).join(" ")}`;
  return { span: { start: end, end }, newText: ` ${word}` };
}
