import type { Conversion } from "./recordedFamilies.js";

/**
 * Applies the library's renames to checkpoint names, in the order of its loader: every rename in turn, then the first conversion
 * that fits. Names that differ in their numbers only are reckoned once, unless a pattern names a number.
 */
export function convertNames(conversions: readonly Conversion[], names: readonly string[]): readonly string[] {
  if (conversions.length === 0) return names;
  const steps = [...conversions.filter(({ k }) => k !== "C"), ...conversions.filter(({ k }) => k === "C")].map(compile);
  const namesNumbers = conversions.some(({ s }) =>
    s.some((pattern) => /(?<![\\{,\d])\d/.test(pattern.replaceAll(/[a-z_]\d+/g, ""))),
  );
  const isGrouped = conversions.some(({ k }) => k === "G");
  if (namesNumbers || isGrouped) return names.map((name) => convert(steps, name));
  const known = new Map<string, string>();
  return names.map((name) => {
    const numbers: string[] = [];
    const template = name.replaceAll(/(?<=^|\.)\d+(?=\.)/g, (number) => `${sentinel + numbers.push(number) - 1}`);
    let converted = known.get(template);
    if (converted === undefined) {
      converted = convert(steps, template);
      known.set(template, converted);
    }
    return numbers.length === 0
      ? converted
      : converted.replaceAll(/9\d{8}/g, (number) => numbers[Number(number) - sentinel] ?? number);
  });
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
