import { hydraList } from "./quoting.js";

/**
 * The list that someone meant by a text that is no list for Hydra: `[model.layers.{*}]` without quotes, the same in a
 * string, or a single pattern. Undefined when the text holds interpolations or brackets that do not pair.
 */
export function meantList(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.includes("${") || trimmed.includes("\uFFFC")) return undefined;
  const bracketed = trimmed.startsWith("[") && trimmed.endsWith("]");
  const inner = bracketed ? trimmed.slice(1, -1) : trimmed;
  const items = splitItems(inner)?.map((item) => withoutQuotes(item.trim()));
  if (items === undefined || items.some((item) => item === "")) return undefined;
  return hydraList(items);
}

/** Splits at commas outside quotes, brackets and braces; undefined when these do not pair. */
function splitItems(text: string): string[] | undefined {
  const items: string[] = [];
  const open: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i] ?? "";
    const quote = open.at(-1);
    if (quote === '"' || quote === "'") {
      if (character === quote) open.pop();
    } else if (character === '"' || character === "'") open.push(character);
    else if (character === "[" || character === "{") open.push(character === "[" ? "]" : "}");
    else if (character === "]" || character === "}") {
      if (open.pop() !== character) return undefined;
    } else if (character === "," && open.length === 0) {
      items.push(text.slice(start, i));
      start = i + 1;
    }
  }
  if (open.length > 0) return undefined;
  items.push(text.slice(start));
  return items;
}

function withoutQuotes(item: string): string {
  const quote = item[0];
  const quoted = item.length >= 2 && (quote === '"' || quote === "'") && item.endsWith(quote);
  return quoted ? item.slice(1, -1) : item.replace(/\\([{}[\],])/g, "$1");
}
