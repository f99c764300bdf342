import type { TextEdit } from "../document/diagnostic.js";
import type { Override } from "../shell/overrides.js";
import { shellQuoted, writeValue } from "../shell/quoting.js";
import type { CommandBlock } from "./commandBlocks.js";

/** A value of one word: a switch, a number or a name. */
export type KeyValue = boolean | number | string;

/** Ways to set one key in a call, best first: where it stands, else as a word behind the last one, without and with Hydra's `+`. */
export function overrideKeyEdits(
  text: string,
  { call }: Pick<CommandBlock, "call">,
  key: string,
  value: KeyValue,
): readonly TextEdit[] {
  const written = call.filter(({ keyPath }) => keyPath === key);
  const last = written.at(-1);
  if (last === undefined) return addedWords(text, call, key, value);
  // Which branch of a script runs is not known.
  if (written.some(({ alternative }) => alternative !== undefined) || last.writable === undefined) return [];
  const edit = writeValue(last.writable, wordOf(last, value));
  return edit === undefined ? [] : [edit];
}

/** Words of their own behind the last override that stands outside of quotes and ends its word. */
function addedWords(text: string, call: readonly Override[], key: string, value: KeyValue): readonly TextEdit[] {
  const anchor = call.findLast(
    ({ writable, alternative, trap }) =>
      writable?.quotes === "none" &&
      alternative === undefined &&
      trap === undefined &&
      /^$|[\s)]/.test(text[writable.span.end] ?? ""),
  );
  if (anchor?.writable === undefined) return [];
  const { end } = anchor.writable.span;
  const words = anchor.dialect === "verl" ? [`${key}=`, `+${key}=`] : [`--${key} `];
  const written = shellQuoted(wordOf(anchor, value));
  return words.map((word) => ({ span: { start: end, end }, newText: ` ${word}${written}` }));
}

/** Hydra's users write switches as Python does. */
function wordOf({ dialect }: Override, value: KeyValue): string {
  if (dialect === "verl" && typeof value === "boolean") return value ? "True" : "False";
  return String(value);
}
