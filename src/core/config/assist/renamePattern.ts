import type { TextEdit } from "../document/diagnostic.js";
import { quoteText } from "../document/rawList.js";
import type { HydraValue } from "../hydra/value.js";
import type { ReadConfig } from "../readConfig.js";
import type { Override } from "../shell/overrides.js";
import { readingOf } from "./documentReading.js";
import { isPatternKey } from "./outline.js";
import type { PatternEntry } from "./writtenPatterns.js";

/** One place that writes a pattern. `text` may be renamed there only when `editable`. */
export interface PatternOccurrence extends PatternEntry {
  /** `yaml`: an entry of a list. `command`: inside an override or a flag. */
  readonly written: "yaml" | "command";
  /** The text stands there as it is, so that a replacement is safe. */
  readonly editable: boolean;
  /** In brackets, where braces have to be quoted. */
  readonly flow: boolean;
  /** Of a command: Hydra gets the text without quotes and so refuses braces and brackets in it. */
  readonly bare: boolean;
}

/** Characters of module paths and globs; others need escapes that differ between YAML, Hydra and the shell. */
const plainPattern = /^[\w.*?[\]{}!-]+$/;

/** Why a text cannot become a pattern by renaming, or `undefined` when it can. */
export function refusePatternName(name: string): string | undefined {
  if (name === "") return "A pattern cannot be empty.";
  if (plainPattern.test(name)) return undefined;
  return "A pattern holds letters, digits, dots and the marks * ? [ ] { } ! - only.";
}

/** Every place of a file that writes a module pattern: YAML of ours, shell scripts, shell blocks of Markdown. */
export function patternOccurrences({ path, text, yaml, commands }: ReadConfig): readonly PatternOccurrence[] {
  if (commands !== undefined) {
    return uniquePlaces(commands.calls.flat().flatMap((override) => inOverride(override, text)));
  }
  const lists = yaml === undefined || !/\.ya?ml$/i.test(path) ? [] : readingOf(yaml).patternLists;
  return lists.flatMap(({ entries }) => entries.map((entry) => inYaml(entry, text)));
}

/** The edit that writes `name` at a place; `undefined` where quotes would have to be added by hand. */
export function renameEdit(occurrence: PatternOccurrence, text: string, name: string): TextEdit | undefined {
  if (!occurrence.editable) return undefined;
  const { span } = occurrence;
  const written = text.slice(span.start, span.end);
  const quote = /^["']/.exec(written)?.[0];
  if (quote !== undefined) return { span, newText: `${quote}${name}${quote}` };
  if (occurrence.written === "yaml") {
    const misread = occurrence.flow ? /[{}[\],]|^[*!?-]/.test(name) : /^[*{[!?-]/.test(name);
    return { span, newText: misread ? quoteText(name) : name };
  }
  return occurrence.bare && /[{}[\]]/.test(name) ? undefined : { span, newText: name };
}

function inYaml(entry: PatternEntry, text: string): PatternOccurrence {
  const written = text.slice(entry.span.start, entry.span.end);
  const inner = written.replace(/^(["'])(.*)\1$/s, "$2");
  const flow = /[[,]\s*$/.test(text.slice(Math.max(0, entry.span.start - 200), entry.span.start));
  return { ...entry, written: "yaml", editable: inner === entry.text, flow, bare: false };
}

function inOverride(override: Override, text: string): readonly PatternOccurrence[] {
  const name = override.keyPath.slice(override.keyPath.lastIndexOf(".") + 1);
  if (!isPatternKey(name) || override.value === undefined) return [];
  const items = override.value.kind === "list" ? override.value.items : itemsOfFlag(override);
  return items.flatMap((item) => (item.kind === "string" ? [commandPlace(override, item, text)] : []));
}

/** A flag of VeOmni with one word is a list of one. */
function itemsOfFlag(override: Override): readonly HydraValue[] {
  return override.operator === "flag" && override.value !== undefined ? [override.value] : [];
}

/** The pattern itself, whatever quotes of Hydra and the shell stand around it. */
function commandPlace(
  override: Override,
  item: HydraValue & { readonly kind: "string" },
  text: string,
): PatternOccurrence {
  const written = text.slice(item.span.start, item.span.end);
  const at = written.indexOf(item.text);
  const single = at >= 0 && item.text !== "" && written.indexOf(item.text, at + 1) < 0;
  const start = item.span.start + Math.max(0, at);
  const span = single ? { start, end: start + item.text.length } : item.span;
  const bare = override.dialect === "verl" && item.quote === undefined;
  return { span, text: item.text, written: "command", editable: single, flow: true, bare };
}

/** A script that expands one variable in several calls writes the pattern once. */
function uniquePlaces(places: readonly PatternOccurrence[]): readonly PatternOccurrence[] {
  const byStart = new Map(places.map((place) => [place.span.start, place]));
  return [...byStart.values()].sort((left, right) => left.span.start - right.span.start);
}
