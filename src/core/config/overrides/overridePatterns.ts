import type { TextEdit } from "../document/diagnostic.js";
import type { HydraValue } from "../hydra/value.js";
import type { PatternEntry, PatternList } from "../patterns/patternEntries.js";
import type { Override } from "../shell/overrides.js";

/** The pattern list that an override sets, for the rules on patterns. */
export function overridePatterns(text: string, override: Override, checkpointing: boolean | undefined): PatternList {
  const items = override.trap === undefined && override.value?.kind === "list" ? override.value.items : [];
  return { entries: items.flatMap((item) => entryOf(text, override, item)), checkpointing };
}

function entryOf(text: string, override: Override, item: HydraValue): PatternEntry[] {
  if (item.kind !== "string" || item.interpolations.length > 0) return [];
  return [
    {
      text: item.text,
      span: item.span,
      replace: (texts) => replaceInside(text, override, item, texts),
      remove: () => undefined,
    },
  ];
}

/** Changes the pattern inside its quotes; without quotes only by characters that stand there already. */
function replaceInside(
  text: string,
  override: Override,
  item: HydraValue & { readonly kind: "string" },
  texts: readonly string[],
): TextEdit | undefined {
  const [only] = texts;
  const written = text.slice(item.span.start, item.span.end);
  const at = written.indexOf(item.text);
  if (only === undefined || texts.length > 1 || at < 0 || written.length > item.text.length + 2) return undefined;
  const isQuoted = item.quote !== undefined && inSingleQuotes(text, override);
  const isSafe = isQuoted ? /^[\w.*?{}[\]-]+$/.test(only) : addsNothing(item.text, only);
  if (!isSafe) return undefined;
  const start = item.span.start + at;
  return { span: { start, end: start + item.text.length }, newText: only };
}

function inSingleQuotes(text: string, override: Override): boolean {
  const { keySpan, valueSpan } = override;
  return text[valueSpan.start] === "'" || text.slice(0, keySpan.start).replace(/\+*$/, "").endsWith("'");
}

function addsNothing(before: string, after: string): boolean {
  return [...after].every((character) => /[\w.]/.test(character) || before.includes(character));
}
