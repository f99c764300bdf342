import type { Conversion } from "./recordedFamilies.js";

/** The library's renames of checkpoint names, ready for use. */
export interface NameConverter {
  /** The name as the class has it. */
  readonly convert: (name: string) => string;
  /** True where names that differ in their numbers only may be renamed differently, or by what came before. */
  readonly looksAtNumbers: boolean;
}

/** Renames in the order of the library's loader: every rename in turn, then the first conversion that fits. */
export function converterOf(conversions: readonly Conversion[]): NameConverter {
  const steps = [...conversions.filter(({ k }) => k !== "C"), ...conversions.filter(({ k }) => k === "C")].map(compile);
  const namesNumbers = conversions.some(({ s }) =>
    s.some((pattern) => /(?<![\\{,\d])\d/.test(pattern.replaceAll(/[a-z_]\d+/g, ""))),
  );
  const isGrouped = conversions.some(({ k }) => k === "G");
  return { convert: (name) => convert(steps, name), looksAtNumbers: namesNumbers || isGrouped };
}

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
