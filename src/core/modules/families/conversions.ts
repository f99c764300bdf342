import type { Conversion } from "./recordedFamilies.js";

/**
 * Applies the library's renames to checkpoint names, in the order of its loader: every rename in turn, then the first conversion
 * that fits; each name once. Names that differ in their numbers only are reckoned once, unless a pattern names a number.
 */
export function convertNames(conversions: readonly Conversion[], names: readonly string[]): readonly string[] {
  if (conversions.length === 0) return names;
  const steps = [...conversions.filter(({ k }) => k !== "C"), ...conversions.filter(({ k }) => k === "C")].map(compile);
  const namesNumbers = conversions.some(({ s }) =>
    s.some((pattern) => /(?<![\\{,\d])\d/.test(pattern.replaceAll(/[a-z_]\d+/g, ""))),
  );
  const isGrouped = conversions.some(({ k }) => k === "G");
  if (namesNumbers || isGrouped) return names.map((name) => convert(steps, name));
  const known = new Map<string, Template>();
  const found = new Set<string>();
  for (const name of names) {
    const shape = name.replace(numberPattern, ".#");
    let converted = known.get(shape);
    if (converted === undefined) {
      converted = templateOf(convert(steps, withSentinels(name)));
      known.set(shape, converted);
    }
    found.add(filled(converted, name));
  }
  return [...found];
}

/** A converted name: the texts around its numbers, and which of the name's own numbers they are. */
interface Template {
  readonly texts: readonly string[];
  readonly numbers: readonly number[];
}

const numberPattern = /\.\d+(?=\.)/g;
const firstNumberPattern = /\.(\d+)\./;

function withSentinels(name: string): string {
  let next = sentinel;
  return name.replace(numberPattern, () => `.${next++}`);
}

function templateOf(converted: string): Template {
  const parts = converted.split(/(9\d{8})/);
  return {
    texts: parts.filter((_, at) => at % 2 === 0),
    numbers: parts.filter((_, at) => at % 2 === 1).map((number) => Number(number) - sentinel),
  };
}

/** The converted name with the numbers of its own; most names keep their first number alone. */
function filled({ texts, numbers }: Template, name: string): string {
  const [before = "", after = ""] = texts;
  if (numbers.length === 0) return before;
  if (numbers.length === 1 && numbers[0] === 0) return before + (firstNumberPattern.exec(name)?.[1] ?? "") + after;
  const own = name.match(numberPattern) ?? [];
  let text = before;
  for (const [at, number] of numbers.entries()) text += `${(own[number] ?? "").slice(1)}${texts[at + 1]}`;
  return text;
}

/** Larger than any number in a name; stands for the first one. */
const sentinel = 900_000_000;

interface Step {
  readonly conversion: Conversion;
  readonly pattern: RegExp;
  /** Number of the capture group of each source. */
  readonly groups: readonly number[];
  isOpen: boolean;
}

function compile(conversion: Conversion): Step {
  const sources = conversion.s.map((source) => source.replaceAll("*.", ".*\\."));
  const groups: number[] = [];
  let next = 1;
  for (const source of sources) {
    groups.push(next);
    next += new RegExp(`(?:${source})|`).exec("")?.length ?? 1;
  }
  return { conversion, pattern: new RegExp(sources.map((source) => `(${source})`).join("|")), groups, isOpen: false };
}

function convert(steps: readonly Step[], name: string): string {
  let text = name;
  for (const step of steps) {
    const next = applyStep(step, text);
    if (next === undefined) continue;
    text = next;
    if (step.conversion.k === "C") break;
  }
  return text;
}

function applyStep(step: Step, name: string): string | undefined {
  const { conversion, pattern, groups } = step;
  const scope = scopeOf(conversion, name);
  if (scope === undefined) return undefined;
  const inside = name.slice(scope.length);
  const match = pattern.exec(inside);
  if (match === null) return undefined;
  const source = groups.findIndex((group) => match[group] !== undefined);
  if (conversion.k === "G") {
    if (source === 0) step.isOpen = true;
    else if (!step.isOpen) return undefined;
  }
  const group = groups[source] ?? 1;
  const target = (conversion.k === "G" ? conversion.d[source] : conversion.d[0]) ?? "";
  const replacement = target.replaceAll(/\\(\d)/g, (_, number) => match[group + Number(number)] ?? "");
  return scope + inside.replace(match[0], () => replacement);
}

/** The prefix that the rename leaves alone; `undefined` where the name is outside its scope. */
function scopeOf(conversion: Conversion, name: string): string | undefined {
  if (conversion.p === undefined) return "";
  const scope = conversion.p === "" ? "" : `${conversion.p}.`;
  const base = conversion.b === undefined || conversion.b === "" ? "" : `${conversion.b}.`;
  if (name.startsWith(base + scope)) return base + scope;
  return name.startsWith(scope) ? scope : undefined;
}
