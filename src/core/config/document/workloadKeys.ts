import { shownWord } from "../../base/shownWord.js";
import type { ScalarValue } from "../yaml/plainScalar.js";
import type { ConfigDocument } from "./configDocument.js";
import { asMapping, type ConfigNode, entryOf, isDeferred, nodeAt, scalarOf } from "./configNode.js";
import { followReference } from "./interpolation.js";
import type { FieldOrigin, WorkloadField, WorkloadProblem } from "./jobWorkload.js";

/** What is taken for keys that are not written. */
export type WorkloadDefaults = (key: string) => number | boolean | string | undefined;

/** The 1-based line of an offset; of all jobs of a file one, as a file may have many. */
export type LineOf = (offset: number) => number;

type Judged<T> = { readonly value: T } | { readonly expected: string };

/** A reader of the keys that a workload rests on: each answer says where it comes from. */
export class WorkloadKeys {
  readonly #problems = new Map<number, WorkloadProblem>();

  /**
   * `defaultOf` gives the framework's value of a key that is not written; `undefined`: the key has none, or another file may set it.
   * References (`${a.b}`) are followed where `follows` says so.
   */
  constructor(
    private readonly document: ConfigDocument,
    private readonly framework: "verl" | "VeOmni",
    private readonly follows: boolean,
    private readonly defaultOf: WorkloadDefaults,
    private readonly lineOf: LineOf,
  ) {}

  get problems(): readonly WorkloadProblem[] {
    return [...this.#problems.values()];
  }

  /** Whether the file says anything but null at a key. */
  isWritten(key: string): boolean {
    const node = this.#entry(key)?.value;
    return node !== undefined && scalarOf(node)?.type !== "null";
  }

  /** A whole number of at least `least`; other values are a problem. */
  count(key: string, least = 1): WorkloadField<number> {
    return this.#read(key, (value) => {
      if (value.type === "int" && value.value >= least && Number.isSafeInteger(value.value))
        return { value: value.value };
      if (value.type === "int" && value.value > Number.MAX_SAFE_INTEGER) return { expected: tooLarge };
      return { expected: `a whole number of at least ${least}` };
    });
  }

  /** Any number; of a rate or a coefficient. */
  number(key: string): WorkloadField<number> {
    return this.#read(key, (value) =>
      value.type === "int" || value.type === "float" ? { value: value.value } : { expected: "a number" },
    );
  }

  flag(key: string): WorkloadField<boolean> {
    return this.#read(key, (value) => (value.type === "bool" ? { value: value.value } : { expected: "true or false" }));
  }

  text(key: string): WorkloadField<string> {
    return this.#read(key, (value) => (value.type === "str" ? { value: value.value } : { expected: "a text" }));
  }

  /** The values at several keys that a figure is made of are each right, but not together. */
  report(field: WorkloadField<unknown>, problem: Omit<WorkloadProblem, "span">): void {
    const span = spanOf(field) ?? { start: 0, end: 0 };
    if (!this.#problems.has(span.start)) this.#problems.set(span.start, { ...problem, span });
  }

  /** The product of two counts; beyond 2^53 it is unknown, and said with `words`. */
  product(left: WorkloadField<number>, right: WorkloadField<number>, words: ProductWords): WorkloadField<number> {
    const product = combined(left, right, (one, other) => one * other);
    if (product.kind !== "value" || Number.isSafeInteger(product.value)) return product;
    const { message, nextStep, why } = words;
    this.report(product, { code: "WORKLOAD_TOO_LARGE", message, cause: losesDigits, nextStep });
    return unknown(why);
  }

  #read<T>(key: string, judge: (value: ScalarValue) => Judged<T>): WorkloadField<T> {
    const entry = this.#entry(key);
    if (entry === undefined || scalarOf(entry.value)?.type === "null") return this.#default<T>(key);
    const node = this.follows ? followReference(this.document.root, entry.value) : entry.value;
    const value = scalarOf(node);
    const { span } = entry.value;
    if (node === undefined || isDeferred(node)) return { kind: "unknown", why: `${key} is known at run time only` };
    // A list or a mapping is no better than nothing.
    const judged = judge(value ?? { type: "null" });
    if ("expected" in judged) {
      this.#refuse(key, entry.value, judged.expected);
      return { kind: "unknown", why: `${key} has no value that ${this.framework} can use` };
    }
    const from: FieldOrigin = { kind: "key", key, span, line: this.lineOf(span.start) };
    return { kind: "value", value: judged.value, from: [from] };
  }

  #default<T>(key: string): WorkloadField<T> {
    const value = this.defaultOf(key);
    if (value === undefined) return { kind: "unknown", why: `${key} is not in this file` };
    return { kind: "value", value: value as T, from: [{ kind: "default", key, framework: this.framework }] };
  }

  #refuse(key: string, node: ConfigNode, expected: string): void {
    const { span } = node;
    if (this.#problems.has(span.start)) return;
    const written = shownWord(this.document.text.slice(span.start, span.end));
    const isTooLarge = expected === tooLarge;
    this.#problems.set(span.start, {
      code: isTooLarge ? "WORKLOAD_TOO_LARGE" : "WORKLOAD_VALUE_INVALID",
      message: `${key} is ${written}, so no step can be computed from it.`,
      cause: isTooLarge ? losesDigits : `${this.framework} takes ${expected} there.`,
      nextStep: isTooLarge ? "Write a smaller number." : `Write ${expected}.`,
      span,
    });
  }

  #entry(key: string) {
    const above = key.split(".");
    const last = above.pop() ?? "";
    return entryOf(asMapping(nodeAt(this.document.root, above)), last);
  }
}

const tooLarge = "a number below 2^53";
const losesDigits = "Such a number loses digits before it is used.";

/** What is said of a product that is too large. */
export interface ProductWords {
  readonly message: string;
  readonly nextStep: string;
  /** Why the figure is unknown. */
  readonly why: string;
}

function spanOf(field: WorkloadField<unknown>) {
  if (field.kind === "unknown") return undefined;
  const origin = field.from.find((each) => each.kind === "key");
  return origin?.kind === "key" ? origin.span : undefined;
}

/** A field made of two; unknown where one of them is, and a range where one of them is. `undefined` of `make`: not computable. */
export function combined<A, B, C>(
  left: WorkloadField<A>,
  right: WorkloadField<B>,
  make: (left: A, right: B) => C,
): WorkloadField<C> {
  if (left.kind === "unknown") return left;
  if (right.kind === "unknown") return right;
  const from = [...left.from, ...right.from];
  if (left.kind === "value" && right.kind === "value")
    return { kind: "value", value: make(left.value, right.value), from };
  const [a, b] = [endsOf(left), endsOf(right)];
  const most = a.most === undefined || b.most === undefined ? undefined : make(a.most, b.most);
  return {
    kind: "range",
    least: make(a.least, b.least),
    ...(most === undefined ? {} : { most }),
    likely: make(a.likely, b.likely),
    from,
  };
}

/** The same field with another value. */
export function mapped<A, B>(field: WorkloadField<A>, make: (value: A) => B): WorkloadField<B> {
  return combined(field, { kind: "value", value: undefined, from: [] }, make);
}

/** What nobody has to say. */
export function known<T>(value: T, ...from: readonly FieldOrigin[]): WorkloadField<T> {
  return { kind: "value", value, from };
}

export function unknown(why: string): WorkloadField<never> {
  return { kind: "unknown", why };
}

function endsOf<T>(field: Exclude<WorkloadField<T>, { readonly kind: "unknown" }>) {
  return field.kind === "value" ? { least: field.value, most: field.value, likely: field.value } : field;
}
