import type { ModelDimensions } from "./dimensions.js";

/** Where a tree came from; best first. */
export type TreeSource = "python-dump" | "checkpoint" | "config-json" | "tree-file";

/** One row of PyTorch's `named_modules()`; `type` is the class name, absent where the source cannot know it. */
export interface ModuleRow {
  readonly name: string;
  readonly type?: string;
}

/**
 * A model as `named_modules()` lists it: depth first, the root under the empty name first.
 * `containers` are names whose value has a length and numbered children (`ModuleList`, `Sequential`).
 * `uncertain` says in plain sentences what the source could not know; `exact` is true only when that list is empty.
 */
export interface ModuleTree {
  readonly source: TreeSource;
  readonly exact: boolean;
  readonly uncertain: readonly string[];
  /** Those sentences of `uncertain` that a user has to see unasked: faults of the files, models of which little is known. */
  readonly warnings?: readonly string[];
  readonly modelType?: string;
  readonly architecture?: string;
  /** Sizes from the model's configuration, where the source has it. */
  readonly dimensions?: ModelDimensions;
  readonly modules: readonly ModuleRow[];
  readonly containers: ReadonlySet<string>;
  readonly moduleDicts: ReadonlySet<string>;
  /** `_no_split_modules`; `undefined` where the source cannot know it. */
  readonly noSplitModules?: readonly string[];
  /** Where another class that may train this model has other `_no_split_modules`: a sentence for the automatic mode. */
  readonly noSplitNote?: string;
  /** Further names under which a module can be reached by attribute access (shared instances). */
  readonly aliases?: ReadonlyMap<string, string>;
  /** Attributes that exist and are `None`. */
  readonly noneAttributes?: ReadonlySet<string>;
  /** Attributes that are not modules but have a length, and that length. */
  readonly sizedAttributes?: ReadonlyMap<string, number>;
  /** Lengths of containers where they differ from the number of listed children. */
  readonly containerLengths?: ReadonlyMap<string, number>;
}
