import type { YamlConfig } from "../readConfig.js";
import type { LayoutDetection } from "../veomni/detectLayout.js";
import { fieldAt, membersUnder } from "../veomni/fields/fieldTable.js";
import type { TrainerKind } from "../veomni/fields/trainingField.js";
import { isLayoutId, type LayoutId } from "../veomni/layout.js";
import { convertPath } from "../veomni/layouts.js";
import type { FieldTable } from "../verl/fields/fieldSpec.js";
import { verlEngineTable } from "../verl/fields/verlEngine.js";
import { verlOptimizerTable } from "../verl/fields/verlOptimizer.js";
import type { DocumentKind } from "../verl/recognise.js";
import {
  docOfForeignField,
  docOfRemovedField,
  docOfTrainingField,
  docOfVerlField,
  fact,
  type KeyDoc,
  layoutsWith,
} from "./keyDoc.js";
import { code } from "./markdown.js";
import { relatedKeysUnder } from "./relatedKeys.js";

/**
 * What completion and hover keep of a parse: plain data, small whatever the file's size, and still right for the most part
 * after some edits. Positions are not in it.
 */
export type ConfigOutline = VerlOutline | TrainingOutline;

export interface VerlOutline {
  readonly dialect: "verl";
  readonly form: DocumentKind["form"];
  /** Dotted paths of the blocks. */
  readonly engines: readonly string[];
  readonly optimizers: readonly string[];
}

export interface TrainingOutline {
  readonly dialect: LayoutId;
  readonly origin: LayoutDetection["origin"];
  readonly trainers: readonly TrainerKind[];
}

/** The keys that belong into one mapping of a file. */
export interface KeyPlace {
  /** Dotted path inside the framework's own table: of the block (verl), of the file (VeOmni). */
  readonly path: string;
  readonly kind: "verl-engine" | "verl-other" | "training";
  /** Every key that may stand here, table order. */
  readonly docs: readonly KeyDoc[];
  /** Also keys that only used to stand here, or belong elsewhere. */
  docOf(name: string): KeyDoc | undefined;
}

/** What completion and hover keep of a YAML file. */
export function outlineOf(yaml: YamlConfig): ConfigOutline {
  if (yaml.form === "verl") return verlOutline(yaml.kind);
  const { layout, detection, trainers } = yaml.context;
  return { dialect: layout, origin: detection.origin, trainers };
}

/** The keys of the mapping at `containerPath`, or `undefined` when nothing is known about it. */
export function keysAt(outline: ConfigOutline, containerPath: readonly string[]): KeyPlace | undefined {
  const path = containerPath.join(".");
  return outline.dialect === "verl" ? verlKeysAt(outline, path) : trainingKeysAt(outline, path);
}

/** True for lists of module patterns, in either framework. */
export function isPatternKey(name: string): boolean {
  return name === "activation_offload_modules";
}

/** True for the limit of idle pinned memory, in either framework. */
export function isCacheLimitKey(name: string): boolean {
  return name === "activation_offload_host_cache_limit_gb";
}

function verlOutline(kind: DocumentKind): VerlOutline {
  const paths = (blocks: DocumentKind["blocks"]): readonly string[] => blocks.slice(0, 1_000).map(({ path }) => path);
  const engines = kind.form === "engine" && kind.blocks.length === 0 ? [""] : paths(kind.blocks);
  const optimizers = kind.form === "optimizer" && kind.optimizers.length === 0 ? [""] : paths(kind.optimizers);
  return { dialect: "verl", form: kind.form, engines, optimizers };
}

function verlKeysAt(outline: VerlOutline, path: string): KeyPlace | undefined {
  const engine = relativeTo(outline.engines, path) ?? relativeToNewBlock(outline, path);
  if (engine !== undefined) return tablePlace(verlEngineTable, engine, "verl-engine");
  const optimizer = relativeTo(outline.optimizers, path);
  if (optimizer !== undefined) return tablePlace(verlOptimizerTable, optimizer, "verl-other");
  const related = relatedKeysUnder(path);
  if (related.length === 0 || outline.form !== "composed") return undefined;
  return { path, kind: "verl-other", docs: related, docOf: (name) => related.find((doc) => doc.name === name) };
}

/** The path below one of the blocks; blocks do not nest, so at most one fits. */
function relativeTo(blocks: readonly string[], path: string): string | undefined {
  for (const block of blocks) {
    if (block === path) return "";
    if (block === "") return path;
    if (path.startsWith(`${block}.`)) return path.slice(block.length + 1);
  }
  return undefined;
}

/** A block that was typed since the last parse, known by its place. */
function relativeToNewBlock(outline: VerlOutline, path: string): string | undefined {
  const roleMember = outline.form === "role" ? /^veomni(?:$|\.)/.exec(path) : null;
  const member = roleMember ?? /^(?:.*\.)?(?:actor|ref|critic)\.veomni(?:$|\.)/.exec(path);
  return member === null ? undefined : path.slice(member[0].length);
}

function tablePlace(table: FieldTable, path: string, kind: KeyPlace["kind"]): KeyPlace | undefined {
  const container = path === "" ? undefined : table.field(path);
  const names = table.keysUnder(path);
  if (path !== "" && (container === undefined || names.length === 0)) return undefined;
  const keyOf = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const known = (name: string): KeyDoc | undefined => {
    const field = table.field(keyOf(name));
    return field === undefined ? undefined : docOfVerlField(field, table);
  };
  return {
    path,
    kind,
    docs: names.flatMap((name) => known(name) ?? []),
    docOf: (name) => known(name) ?? goneFrom(table, keyOf(name)),
  };
}

function goneFrom(table: FieldTable, key: string): KeyDoc | undefined {
  const removed = table.removed(key);
  if (removed !== undefined) return docOfRemovedField(removed);
  const foreign = table.foreign(key);
  return foreign === undefined ? undefined : docOfForeignField(foreign, table.owner);
}

function trainingKeysAt(outline: TrainingOutline, path: string): KeyPlace | undefined {
  const layout = outline.dialect;
  const pathOf = (name: string): string => (path === "" ? name : `${path}.${name}`);
  const known = (name: string): KeyDoc | undefined => {
    const field = fieldAt(layout, pathOf(name));
    return field === undefined ? undefined : docOfTrainingField(field, pathOf(name), layout);
  };
  const names = membersUnder(layout, path);
  return {
    path,
    kind: "training",
    get docs() {
      return names.flatMap((name) => known(name) ?? []);
    },
    docOf: (name) => known(name) ?? elsewhere(pathOf(name), layout),
  };
}

/** A key that another layout has at this place, with where this layout wants it. */
function elsewhere(path: string, layout: LayoutId): KeyDoc | undefined {
  const other = layoutsWith(path).at(-1);
  const field = other === undefined ? undefined : fieldAt(other, path);
  if (other === undefined || field === undefined) return undefined;
  const doc = docOfTrainingField(field, path, other);
  const target = convertPath(path, other, layout);
  const place = "path" in target ? `here it stands at ${code(target.path)}` : target.why;
  const facts = [
    fact("layout", `This place belongs to ${layoutsWith(path).join(", ")}; the file is ${layout}: ${place}`),
  ];
  return { ...doc, facts: [...facts, ...doc.facts], removed: true };
}

/** The name of a dialect for people. */
export function dialectName(dialect: string): string {
  if (dialect === "verl") return "verl, VeOmni engine";
  return isLayoutId(dialect) ? `VeOmni training, ${dialect} layout` : dialect;
}
