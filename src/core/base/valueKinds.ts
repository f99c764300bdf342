/** How the text behind a flag becomes a value. */
export interface ValueKind<T> {
  /** What may stand there, after the word "Use": `a whole number from 1 to 64`. */
  readonly what: string;
  /** The words that may stand there, where they can be counted: one of them may have been meant. */
  readonly names?: readonly string[];
  /** `undefined` for a text that is no such value. */
  read(text: string): T | undefined;
}

/** Any text, the empty one too. */
export const anyText: ValueKind<string> = { what: "any text", read: (text) => text };

/** A text of at least one character, called `what`. */
export function textOf(what: string, shape = /./s): ValueKind<string> {
  return { what, read: (text) => (shape.test(text) ? text : undefined) };
}

/** A path as it is written. */
export const aPath = textOf("a path");

/** A whole number in decimal digits, within bounds that belong to it. */
export function wholeNumber({ least, most }: Bounds): ValueKind<number> {
  return {
    what: `a whole number from ${least} to ${most}`,
    read: (text) => within(/^\d{1,12}$/.test(text) ? Number(text) : Number.NaN, least, most),
  };
}

/** A number in decimal digits with or without a fraction and a power of ten, within bounds that belong to it. */
export function decimalNumber({ least, most }: Bounds): ValueKind<number> {
  return {
    what: `a number from ${least} to ${most}`,
    read: (text) => within(/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN, least, most),
  };
}

/** An amount of memory in units of 2^30 bytes. */
export const gibibytes = decimalNumber({ least: 0.001, most: 1_000_000 });

/** One of a few words. */
export function oneOf<const Name extends string>(names: readonly Name[]): ValueKind<Name> {
  return { what: listOf(names, "or"), names, read: (text) => names.find((name) => name === text) };
}

/** Inclusive. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** `a, b or c`. */
export function listOf(words: readonly string[], conjunction: "and" | "or"): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} ${conjunction} ${last}`;
}

function within(value: number, least: number, most: number): number | undefined {
  return value >= least && value <= most ? value : undefined;
}
