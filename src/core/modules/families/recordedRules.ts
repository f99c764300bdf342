import type { LengthRule, RecordedFamily, RecordedRule } from "./recordedFamilies.js";

type Json = Readonly<Record<string, unknown>>;

/** Position of a module in the lists above it, outermost first. */
export interface ListPosition {
  readonly index: readonly number[];
  readonly length: readonly number[];
}

const synonyms: readonly (readonly string[])[] = [
  ["num_hidden_layers", "n_layer", "n_layers", "num_layers"],
  ["hidden_act", "activation_function", "hidden_activation"],
];
const maxCount = 10_000;

/** Values of one config.json as a recorded class reads them; what the file does not say has the library's default. */
export class RecordedValues {
  readonly #json: Json;
  readonly #family: RecordedFamily;

  constructor(json: unknown, family: RecordedFamily) {
    this.#json = asObject(json);
    this.#family = family;
  }

  /** The value at a dotted path. A text configuration may also stand at the top, and a key have one of its older names. */
  valueAt(path: string): unknown {
    const own = this.#own(path);
    return own === undefined ? this.#family.defaults[path] : own;
  }

  /** True if config.json itself gives the value. */
  says(path: string): boolean {
    return this.#own(path) !== undefined;
  }

  #own(path: string): unknown {
    const keys = path.split(".");
    const last = keys.at(-1) ?? "";
    let parent: unknown = this.#json;
    for (const key of keys.slice(0, -1)) parent = asObject(parent)[key];
    if (parent === undefined && keys[0] === "text_config") parent = this.#json;
    const names = [last, ...(synonyms.find((group) => group.includes(last)) ?? [])];
    for (const name of names) {
      const value = Object.hasOwn(asObject(parent), name) ? asObject(parent)[name] : undefined;
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** Length of a list by its rule; `undefined` where there is none, or the file has no usable value. */
  lengthOf(rule: LengthRule): number | undefined {
    if (rule === null || typeof rule === "number") return rule ?? undefined;
    const [operation, key, operand] = rule;
    const value = this.valueAt(key);
    if (operation === "count")
      return Array.isArray(value) ? bounded(value.filter((one) => one === operand).length) : undefined;
    const first = countOf(value);
    if (operation === "k") return first === undefined ? undefined : bounded(first + Number(operand));
    const second = countOf(this.valueAt(String(operand)));
    if (first === undefined || second === undefined) return undefined;
    if (operation === "+") return bounded(first + second);
    if (operation === "-") return bounded(first - second);
    if (second === 0) return undefined;
    return bounded(operation === "//" ? Math.floor(first / second) : Math.ceil(first / second));
  }

  /** Number of the form that a rule picks; `undefined` for values that were never recorded. */
  formOf(rule: RecordedRule, at: ListPosition): number | undefined {
    const values = rule[0].map((decider) => this.#decide(decider, at));
    const key = values.length === 1 ? pythonJson(values[0] ?? null) : `[${values.map(pythonJson).join(", ")}]`;
    return Object.hasOwn(rule[1], key) ? rule[1][key] : undefined;
  }

  #decide(decider: readonly (string | number)[], at: ListPosition): boolean | number | string | null {
    const [kind, first, second, third] = decider;
    if (kind === "first" || kind === "last" || kind === "parity" || kind === "index") {
      const index = at.index.at(Number(first)) ?? 0;
      if (kind === "first") return index === 0;
      if (kind === "last") return index === (at.length.at(Number(first)) ?? 0) - 1;
      return kind === "parity" ? index % 2 : index;
    }
    const value = this.valueAt(String(first));
    switch (kind) {
      case "is":
        return shown(value);
      case "any":
        return Array.isArray(value) || typeof value === "string" ? value.length > 0 : Boolean(value);
      case ">1":
        return typeof value === "number" && value > 1;
      case "==":
        return value === this.valueAt(String(second));
      case "%-":
      case "<-": {
        const other = this.valueAt(String(second));
        const index = at.index.at(Number(third)) ?? 0;
        if (typeof value !== "number" || typeof other !== "number") return null;
        if (kind === "<-") return index < value - other;
        return value > 0 ? (index - other) % value === 0 : null;
      }
    }
    return decideByIndex(String(kind), value, at.index.at(Number(second)) ?? 0, Number(third ?? 0));
  }
}

function decideByIndex(kind: string, value: unknown, index: number, plus: number): boolean | string | null {
  if (kind === "at") {
    if (!Array.isArray(value) && typeof value !== "string") return null;
    return index < value.length ? shown(value[index]) : null;
  }
  if (kind === "cyc") return Array.isArray(value) && value.length > 0 ? shown(value[index % value.length]) : null;
  if (kind === "in") return Array.isArray(value) ? value.includes(index) : null;
  if (typeof value !== "number") return null;
  if (kind === "<") return index + plus < value;
  return value > 0 ? (index + plus) % value === 0 : null;
}

/** A value as the recording's tables write it. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return "[";
  if (typeof value === "object" && value !== null) return "{";
  return value === undefined ? "null" : JSON.stringify(value);
}

function pythonJson(value: boolean | number | string | null): string {
  return JSON.stringify(value);
}

function countOf(value: unknown): number | undefined {
  if (Array.isArray(value) || typeof value === "string") return value.length;
  return typeof value === "number" && Number.isInteger(value) ? value : undefined;
}

function bounded(length: number): number | undefined {
  if (length > maxCount) return undefined;
  return Math.max(0, length);
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
