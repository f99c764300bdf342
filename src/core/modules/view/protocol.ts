import type { Problem } from "../../base/outcome.js";
import type { Line } from "../../channel.js";
import type { PatternNote } from "../selection/selectionResult.js";
import type { ModuleMarkValue } from "./moduleMarks.js";

/*
 * Messages between the extension and the page of the Modules view. The page gets the whole list of modules once for each model, in
 * parallel arrays; what changes while the user types is small.
 */

/** A model as the page gets it. `id` is new for each one, so that late messages can be told from current ones. */
export interface ModelMessage {
  readonly type: "model";
  readonly id: number;
  /** Architecture, else model type, else the name of what it was read from. */
  readonly title: string;
  /** `checkpoint`, `config.json`, … for people. */
  readonly source: string;
  /** Path or id that the model was read from. */
  readonly shown: string;
  readonly exact: boolean;
  /** What the source could not know, without `warnings`. */
  readonly uncertain: readonly string[];
  /** What is wrong with the source, or how little it says: to be seen at once. */
  readonly warnings: readonly string[];
  /** In `named_modules()` order. */
  readonly names: readonly string[];
  readonly typeNames: readonly string[];
  /** Per module an index into `typeNames`, -1 where the class is not known. */
  readonly types: readonly number[];
  /** Rows whose value has a length: they are never called. */
  readonly containers: readonly number[];
}

/** A figure for people and how it comes about. */
export interface Figure {
  readonly text: string;
  readonly arithmetic: string;
}

/** What is selected now, in parallel arrays by selected module. */
export interface SelectionMessage {
  readonly type: "selection";
  readonly model: number;
  /** Row of the module list; a module that is listed twice stands here once. */
  readonly rows: readonly number[];
  /** Offload index that the module runs with. */
  readonly indices: readonly number[];
  readonly marks: readonly ModuleMarkValue[];
  /** Bytes that it moves to the host in a step; `null` where that is not known. */
  readonly bytes: readonly (number | null)[];
  /** An index into `reasonTexts`. */
  readonly reasons: readonly number[];
  readonly reasonTexts: readonly string[];
  /** What the framework would raise, `null` when it takes the list. */
  readonly error: string | null;
  readonly warnings: readonly PatternNote[];
  readonly config: ConfigSummary | null;
  readonly freed: Figure;
  readonly pinned: Figure;
}

/** The block of the configuration that decides. */
export interface ConfigSummary {
  readonly fileName: string;
  readonly blockPath: string;
  /** All blocks of the file that say something about offload. */
  readonly blocks: readonly string[];
  readonly isOn: boolean;
  /** The list is empty or absent: the framework takes the model's own layer classes. */
  readonly isAutomatic: boolean;
  /** `2,048 tokens × 2 sequences, checkpointing on`. */
  readonly workload: string;
}

/** The pattern list for the ticked modules, or why there is none. */
export interface Preview {
  readonly patterns: readonly string[] | null;
  /** Why there is no list, or what to know about it. */
  readonly note: string | null;
}

/** Actions of the page that are also commands of the editor, `offloadLens.modules.<action>`. */
export const MODULES_COMMANDS = ["apply", "revert", "collapseAll", "find"] as const;
export type ModulesCommand = (typeof MODULES_COMMANDS)[number];

/** Rows of the module list of the model with this id. */
export interface TickedRows {
  readonly model: number;
  readonly rows: readonly number[];
}

/** The line between the page and the extension: the page asks for previews. Of several that wait only the newest gets a list. */
export interface ModulesLine extends Line {
  readonly request: TickedRows & { readonly kind: "preview" };
  readonly answers: { readonly preview: Preview };
  readonly progress: never;
  readonly told: ModulesPageMessage;
  readonly announced: ModulesHostMessage;
}

/** What the extension tells the page. */
export type ModulesHostMessage =
  | { readonly type: "empty"; readonly reason: string }
  | { readonly type: "loading"; readonly shown: string }
  | { readonly type: "problem"; readonly problem: Problem }
  | ModelMessage
  | SelectionMessage
  | { readonly type: "copied"; readonly text: string }
  | { readonly type: "command"; readonly command: ModulesCommand };

/** What the page tells the extension. */
export type ModulesPageMessage =
  | { readonly type: "ready" }
  | { readonly type: "chooseModel" }
  | { readonly type: "chooseBlock"; readonly blockPath: string }
  | ({ readonly type: "apply" } & TickedRows)
  | ({ readonly type: "copy" } & TickedRows);
