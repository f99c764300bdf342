import { shownWord } from "../../base/shownWord.js";
import type { ConfigDocument } from "../document/configDocument.js";
import { type MappingEntry, scalarOf, textOf } from "../document/configNode.js";
import { resolveText } from "../document/interpolation.js";
import { bytesText, limitBytes, limitMarkdown } from "./hostBytes.js";
import { code } from "./markdown.js";
import { isCacheLimitKey } from "./outline.js";

/** Grey text behind a value. */
export interface ValueHint {
  /** Offset behind which it stands. */
  readonly offset: number;
  readonly label: string;
  /** Markdown. */
  readonly tooltip: string;
}

/** Environment variables by name; only which of them are set is asked for. */
export type Environment = Readonly<Record<string, string | undefined>>;

const maxShown = 80;

/** The hint of one entry: bytes of a cache limit, or the effective value of an interpolation. */
export function valueHintOf(
  document: ConfigDocument,
  entry: MappingEntry,
  containerPath: readonly string[],
  environment: Environment,
): readonly ValueHint[] {
  const { value } = entry;
  if (isCacheLimitKey(entry.key)) return limitHint(entry);
  const text = value.kind === "scalar" ? textOf(value) : undefined;
  if (text === undefined || !text.includes("${") || value.span.end === value.span.start) return [];
  const effective = resolveText(text, { root: document.root, containerPath, environment });
  if (effective === undefined || effective === text || /[\r\n]/.test(effective)) return [];
  const shown = shownWord(effective, maxShown);
  const source = effective.includes("${oc.env:") ? " Values of the environment are not shown." : "";
  const tooltip = `${code(text)} as far as this file tells: ${code(effective)}.${source} Command-line overrides and other config files may change it.`;
  return [{ offset: value.span.end, label: `= ${shown}`, tooltip }];
}

function limitHint(entry: MappingEntry): readonly ValueHint[] {
  const value = scalarOf(entry.value);
  if (entry.value.kind !== "scalar" || (value?.type !== "int" && value?.type !== "float")) return [];
  const bytes = limitBytes(value.value);
  if (bytes === undefined) return [];
  const tooltip = limitMarkdown(value.value);
  return [{ offset: entry.value.span.end, label: `= ${bytesText(bytes)}`, tooltip }];
}
