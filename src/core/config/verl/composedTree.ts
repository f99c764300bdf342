import recorded from "./composedTree.json" with { type: "json" };

/** Trainers whose shipped configuration is recorded: `verl.trainer.main_ppo` and the SFT trainer. */
export type ComposedTrainer = "ppo" | "sft";

/**
 * What the composed tree holds at a path: a mapping, an `open` one (empty in the YAML, so keys are added there), or a value.
 * `isEmpty`: the default is null or missing, `isReference`: it refers to another key. `isEverywhere`: every recorded release has it.
 */
export type ComposedEntry =
  | { readonly kind: "mapping"; readonly keys: readonly string[] }
  | { readonly kind: "open" }
  | {
      readonly kind: "value";
      readonly isEmpty: boolean;
      readonly isReference: boolean;
      readonly isList: boolean;
      readonly isEverywhere: boolean;
    };

type Tree = { readonly [key: string]: Tree | string };

const trees: Readonly<Record<ComposedTrainer, { readonly own: Tree; readonly others: Tree }>> = {
  ppo: { own: recorded.ppo, others: recorded.ppoOtherEngines },
  sft: { own: recorded.sft, others: recorded.sftOtherEngines },
};

/** The releases that were recorded, in words: `0.10.0.dev of 2026-08-22 and 0.9.1 of 2026-09-20`. */
export const recordedReleases: string = recorded.releases
  .map(({ version, date }) => `${version} of ${date}`)
  .join(" and ");

/** What the tree of the VeOmni engine holds at a dotted path; undefined when no recorded release has it. */
export function composedEntry(trainer: ComposedTrainer, path: string): ComposedEntry | undefined {
  return entryIn(trees[trainer].own, path);
}

/** The first part of the path that the VeOmni tree lacks and other engines' trees have; undefined when there is none. */
export function partOfOtherEngines(trainer: ComposedTrainer, path: string): string | undefined {
  const { own, others } = trees[trainer];
  const segments = path.split(".");
  for (let depth = 1; depth <= segments.length; depth++) {
    const part = segments.slice(0, depth).join(".");
    if (entryIn(own, part) === undefined) return entryIn(others, part) === undefined ? undefined : part;
  }
  return undefined;
}

/** The path of the deepest mapping of the VeOmni tree above a path, "" for the root. */
export function composedAbove(trainer: ComposedTrainer, path: string): string {
  const segments = path.split(".");
  for (let depth = segments.length - 1; depth > 0; depth--) {
    const above = segments.slice(0, depth).join(".");
    if (composedEntry(trainer, above) !== undefined) return above;
  }
  return "";
}

/** Names of the keys of the root. */
export function composedRootKeys(trainer: ComposedTrainer): readonly string[] {
  return Object.keys(trees[trainer].own);
}

function entryIn(tree: Tree, path: string): ComposedEntry | undefined {
  let node: Tree | string | undefined = tree;
  for (const segment of path.split(".")) {
    if (typeof node === "string" || !Object.hasOwn(node, segment)) return undefined;
    node = node[segment];
    if (node === undefined) return undefined;
  }
  if (typeof node !== "string") return { kind: "mapping", keys: Object.keys(node) };
  const kind = node.replace(/\?$/, "");
  if (kind === "open") return { kind: "open" };
  return {
    kind: "value",
    isEmpty: kind === "null" || kind === "reference",
    isReference: kind === "reference" || kind === "filled",
    isList: kind === "list",
    isEverywhere: kind === node,
  };
}
