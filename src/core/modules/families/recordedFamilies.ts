import shapes from "./recordedShapes.json";

/**
 * Decides between forms or lengths: `[deciders, table]`. A decider reads one value of config.json, at the positions in the lists
 * above a module; the JSON of the value (of the pair, with two deciders) is looked up in the table.
 */
export type RecordedRule = readonly [
  deciders: readonly (readonly (string | number)[])[],
  table: Readonly<Record<string, number>>,
];

/** Length of a list: fixed, or reckoned from config.json; `null` where no rule was found. */
export type LengthRule = number | null | readonly [operation: string, key: string, operand: string | number];

/**
 * One place in a recorded tree. `L`: a list (class, length rule, recorded length, element). `A`: an activation, named by a key of
 * config.json. `F`: a module (class, 1 for lists and 2 for dictionaries, 1 if it owns tensors, children as name and node in turn).
 * `O`: several forms and the rule that tells them apart.
 */
export type RecordedNode =
  | readonly ["L", type: string, length: LengthRule, recordedLength: number, element: number]
  | readonly ["A", key: string]
  | readonly ["F", type: string, kind: 0 | 1 | 2, owns: 0 | 1, children: readonly (string | number)[]]
  | readonly ["O", rule: RecordedRule | null, forms: readonly number[]];

/** A rename of checkpoint names: `R` simple, `G` a group that its first pattern opens, `C` at most one a name, after the others. */
export interface Conversion {
  readonly k: "R" | "G" | "C";
  /** Patterns as the library compiles them, and what replaces them. */
  readonly s: readonly string[];
  readonly d: readonly string[];
  /** Prefix below which it applies, and the prefix of the body that may stand before it. */
  readonly p?: string;
  readonly b?: string;
}

/** One class of the library, as it was recorded. */
export interface RecordedFamily {
  readonly modelType: string;
  readonly architecture: string;
  /** Prefix of its class names; stands for `@`. */
  readonly prefix: string;
  /** Attribute that holds the body; "" if there is none. */
  readonly base: string;
  readonly noSplit: readonly string[];
  readonly root: number;
  /** Values of the keys that decide, in the library's default configuration. */
  readonly defaults: Readonly<Record<string, unknown>>;
  readonly conversions: readonly Conversion[];
  /** `model_type` by path of each configuration inside. */
  readonly parts: Readonly<Record<string, string>>;
}

/** All recorded classes and the nodes that they share. */
export interface Recording {
  readonly nodes: readonly RecordedNode[];
  readonly families: readonly RecordedFamily[];
  readonly byType: ReadonlyMap<string, readonly RecordedFamily[]>;
}

interface StoredFamily {
  readonly t: string;
  readonly a: string;
  readonly p: string;
  readonly b: string;
  readonly n: readonly string[];
  readonly r: number;
  readonly d: Readonly<Record<string, unknown>>;
  readonly c?: readonly number[];
  readonly m?: Readonly<Record<string, string>>;
}

interface Stored {
  readonly nodes: readonly RecordedNode[];
  readonly conversions: readonly Conversion[];
  readonly families: readonly StoredFamily[];
}

let read: Recording | undefined;

/** The recording, made ready on first use. */
export function recording(): Recording {
  // The asset's inferred type is wider than its notation: tuples are arrays there.
  read ??= readyOf(shapes as unknown as Stored);
  return read;
}

function readyOf(stored: Stored): Recording {
  const families = stored.families.map((family) => ({
    modelType: family.t,
    architecture: family.a,
    prefix: family.p,
    base: family.b,
    noSplit: family.n.map((name) => name.replaceAll("@", family.p)),
    root: family.r,
    defaults: family.d,
    conversions: (family.c ?? []).flatMap((at) => stored.conversions[at] ?? []),
    parts: family.m ?? {},
  }));
  const byType = new Map<string, RecordedFamily[]>();
  for (const family of families) byType.set(family.modelType, [...(byType.get(family.modelType) ?? []), family]);
  return { nodes: stored.nodes, families, byType };
}
