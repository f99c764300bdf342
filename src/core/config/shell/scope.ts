import type { TextSpan } from "../document/diagnostic.js";
import type { Piece } from "./tracedText.js";

/** A word after all expansions, still in pieces, with what is known about its way. */
export interface ExpandedWord extends WordFacts {
  readonly pieces: readonly Piece[];
}

/** What happened to a word on its way to the program. */
export interface WordFacts {
  /** Where the word is written: in the command, in the array, or in the text that was split. */
  readonly span: TextSpan;
  /** The unquoted variable whose blanks ended or began this word, and where it is used. */
  readonly splitFrom?: { readonly name: string; readonly span: TextSpan };
  /** The braces that made several words of one. */
  readonly braces?: TextSpan;
  /** Number of the alternative when a variable in the word was assigned in several branches. */
  readonly alternative?: number;
  /** A default such as `${V:-8}` was taken; the environment may say otherwise. */
  readonly assumesDefault: boolean;
}

/** What a variable holds. */
export type Value =
  | { readonly kind: "scalar"; readonly pieces: readonly Piece[]; readonly assumesDefault: boolean }
  | { readonly kind: "array"; readonly words: readonly ExpandedWord[] };

/** A variable assigned in several branches holds at most this many values. */
export const MAX_ALTERNATIVES = 8;

/**
 * Variables at one point of a script. A branch works on a child, whose assignments come back by `mergeBranches` as
 * alternatives. The list of values of a name is never empty.
 */
export class Scope {
  private readonly own = new Map<string, readonly Value[]>();

  constructor(private readonly parent?: Scope) {}

  get(name: string): readonly Value[] | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.parent) {
      const values = scope.own.get(name);
      if (values !== undefined) return values.length === 0 ? undefined : values;
    }
    return undefined;
  }

  set(name: string, values: readonly Value[]): void {
    this.own.set(name, values.slice(0, MAX_ALTERNATIVES));
  }

  unset(name: string): void {
    this.own.set(name, []);
  }

  child(): Scope {
    return new Scope(this);
  }

  /** Takes over what the children assigned; without `exhaustive` the values from before stay possible. */
  mergeBranches(children: readonly Scope[], exhaustive: boolean): void {
    for (const name of new Set(children.flatMap((child) => [...child.own.keys()]))) {
      const before = this.get(name) ?? [];
      const values = children.flatMap((child) => child.own.get(name) ?? before);
      const all = exhaustive || before.length === 0 ? values : [...before, ...values];
      this.set(name, all.length < 2 ? all : [...new Set(all)]);
    }
  }
}
