import type { Blueprint } from "../families/blueprint.js";
import type { ModuleRow } from "../tree.js";
import type { TensorNode } from "./tensorTrie.js";

/** What the checkpoint and config.json say about one model. */
export interface AssemblyPlan {
  readonly rootType: string | undefined;
  /** Modules of the root. */
  readonly blueprint: readonly Blueprint[];
  readonly tensors: TensorNode;
  /** Turns a blueprint's class into the real name; `undefined` where it cannot be known. */
  readonly className: (type: string) => string | undefined;
  /** Number of decoder layers that config.json declares. */
  readonly declaredLayers: number | undefined;
}

/** The assembled rows and what had to be guessed on the way. */
export interface Assembly {
  readonly modules: readonly ModuleRow[];
  readonly containers: ReadonlySet<string>;
  /** Modules that no blueprint knows: their class, and their place among their siblings, are unknown. */
  readonly unplaced: readonly string[];
  /** Decoder layers that are declared but have no tensors. */
  readonly layersWithoutTensors: readonly string[];
  /** Layers that have tensors but are not declared, so that the library does not build them. */
  readonly layersNotBuilt: readonly string[];
  /** Lists whose numbers have gaps. */
  readonly gaps: readonly string[];
}

interface Assembling extends AssemblyPlan {
  readonly modules: ModuleRow[];
  readonly containers: Set<string>;
  readonly unplaced: string[];
  readonly layersWithoutTensors: string[];
  readonly layersNotBuilt: string[];
  readonly gaps: string[];
}

/**
 * Lists modules in definition order: first what the blueprint names, as far as tensors prove it or it needs none, then the
 * rest in natural order. The result has the order of `named_modules()` where the blueprint knows the family.
 */
export function assembleModules(plan: AssemblyPlan): Assembly {
  const state: Assembling = {
    ...plan,
    modules: [],
    containers: new Set(),
    unplaced: [],
    layersWithoutTensors: [],
    layersNotBuilt: [],
    gaps: [],
  };
  addRow(state, "", plan.rootType);
  addChildren(state, "", plan.tensors, plan.blueprint);
  return state;
}

/** `mark` is a child that only marks the alternative that was taken. */
function addChildren(
  state: Assembling,
  parent: string,
  node: TensorNode,
  blueprint: readonly Blueprint[],
  mark?: string,
): void {
  const known = new Set<string>();
  for (const entry of blueprint) {
    if (known.has(entry.name)) continue;
    known.add(entry.name);
    const alternatives = blueprint.filter((other) => other.name === entry.name);
    const child = node.children.get(entry.name);
    if (child === undefined && !entry.withoutTensors) continue;
    const present = child ?? { children: new Map() };
    if (entry.isList) addList(state, pathOf(parent, entry.name), present, alternatives);
    else addModule(state, pathOf(parent, entry.name), present, alternatives);
  }
  const rest = [...node.children]
    .filter(([name]) => !known.has(name) && name !== mark)
    .sort(([a], [b]) => naturalOrder(a, b));
  for (const [name, child] of rest) addUnknown(state, pathOf(parent, name), child);
}

function addModule(state: Assembling, path: string, node: TensorNode, alternatives: readonly Blueprint[]): void {
  const chosen = alternativeFor(node, alternatives);
  if (chosen === undefined) {
    addUnknown(state, path, node);
    return;
  }
  addRow(state, path, state.className(chosen.type));
  if (chosen.type === "Sequential" || chosen.type === "ModuleList") state.containers.add(path);
  addChildren(state, path, chosen.fused ? { children: new Map() } : node, chosen.children, chosen.when);
}

/** Elements of a list; the decoder stack has as many as config.json declares, whatever the tensors say. */
function addList(state: Assembling, path: string, node: TensorNode, alternatives: readonly Blueprint[]): void {
  const numbers = [...node.children.keys()].filter((key) => /^(0|[1-9]\d{0,6})$/.test(key)).map(Number);
  if (numbers.length !== node.children.size) {
    addUnknown(state, path, node);
    return;
  }
  numbers.sort((a, b) => a - b);
  const declared = alternatives[0]?.isDecoderStack === true ? state.declaredLayers : undefined;
  addRow(state, path, "ModuleList");
  state.containers.add(path);
  if (declared === undefined) {
    if (numbers.at(-1) !== numbers.length - 1) state.gaps.push(path);
    for (const number of numbers) addElement(state, path, number, node, alternatives);
    return;
  }
  for (let number = 0; number < declared; number += 1) addElement(state, path, number, node, alternatives);
  for (const number of numbers) if (number >= declared) state.layersNotBuilt.push(`${path}.${number}`);
}

function addElement(
  state: Assembling,
  path: string,
  number: number,
  list: TensorNode,
  alternatives: readonly Blueprint[],
): void {
  const own = list.children.get(String(number));
  if (own === undefined) state.layersWithoutTensors.push(`${path}.${number}`);
  const model = own ?? list.children.values().next().value ?? { children: new Map() };
  addModule(state, `${path}.${number}`, model, alternatives);
}

function addUnknown(state: Assembling, path: string, node: TensorNode): void {
  const numbers = [...node.children.keys()];
  const isList = numbers.length > 0 && numbers.every((_, at) => node.children.has(String(at)));
  state.modules.push(isList ? { name: path, type: "ModuleList" } : { name: path });
  if (isList) state.containers.add(path);
  else state.unplaced.push(path);
  addChildren(state, path, node, []);
}

function alternativeFor(node: TensorNode, alternatives: readonly Blueprint[]): Blueprint | undefined {
  return alternatives.find((entry) => entry.when === undefined || node.children.has(entry.when));
}

function addRow(state: Assembling, name: string, type: string | undefined): void {
  state.modules.push(type === undefined ? { name } : { name, type });
}

function pathOf(parent: string, name: string): string {
  return parent === "" ? name : `${parent}.${name}`;
}

/** Numbers by value, before words; words by code unit. */
function naturalOrder(a: string, b: string): number {
  const numberA = /^\d{1,9}$/.test(a) ? Number(a) : undefined;
  const numberB = /^\d{1,9}$/.test(b) ? Number(b) : undefined;
  if (numberA !== undefined && numberB !== undefined) return numberA - numberB;
  if (numberA !== undefined) return -1;
  if (numberB !== undefined) return 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
