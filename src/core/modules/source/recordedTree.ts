import { activationClass } from "../families/activations.js";
import type { RecordedFamily, RecordedNode } from "../families/recordedFamilies.js";
import { bodyOf, nodeAt, type RecordedModel, valueBelow } from "../families/recordedModel.js";
import { type ListPosition, RecordedValues } from "../families/recordedRules.js";
import type { ModuleRow } from "../tree.js";
import { bearsTensors, mismatchOf } from "./recordedFit.js";
import type { TensorNode } from "./tensorTrie.js";

/** The modules of a recorded class and what remains in doubt. */
export interface RecordedTree {
  readonly modules: readonly ModuleRow[];
  readonly containers: ReadonlySet<string>;
  readonly moduleDicts: ReadonlySet<string>;
  /** Modules that own tensors in the class and have none in the checkpoint. */
  readonly withoutTensors: readonly string[];
  /** Tensors below these names belong to no module of the class, which does not load them. */
  readonly notLoaded: readonly string[];
  /** Places whose form or length the configuration decides by a rule that is not known. */
  readonly doubtful: readonly string[];
}

interface Building {
  readonly model: RecordedModel;
  readonly json: unknown;
  readonly isCheckpoint: boolean;
  readonly modules: ModuleRow[];
  readonly containers: Set<string>;
  readonly moduleDicts: Set<string>;
  readonly withoutTensors: string[];
  readonly notLoaded: string[];
  readonly doubtful: Set<string>;
}

/** Where the walk stands: the class that defines the module, the configuration it reads, its place in lists. */
interface Place {
  readonly family: RecordedFamily;
  readonly values: RecordedValues;
  readonly at: ListPosition;
}

/** More modules than any model has: hostile counts stop here. */
const maxModules = 400_000;

/**
 * Builds the rows of a recorded class from config.json and, for a checkpoint, from the trie of its (converted) tensor names.
 * Tensors prove which form of a module there is; where they do not tell, the recorded rules do.
 */
export function recordedTree(model: RecordedModel, json: unknown, tensors: TensorNode | undefined): RecordedTree {
  const building: Building = {
    model,
    json,
    isCheckpoint: tensors !== undefined,
    modules: [],
    containers: new Set(),
    moduleDicts: new Set(),
    withoutTensors: [],
    notLoaded: [],
    doubtful: new Set(),
  };
  const { family } = model;
  const place: Place = { family, values: new RecordedValues(json, family), at: { index: [], length: [] } };
  const body = bodyOf(family);
  if (model.shape === "recorded" || body === undefined) addNode(building, "", family.root, tensors, place);
  else if (model.shape === "body") addNode(building, "", body, tensors, place);
  else addOtherHead(building, body, tensors, place);
  return { ...building, doubtful: [...building.doubtful] };
}

/** Classes that the library shares between families: body, dropout where tokens are classified, score. */
function addOtherHead(building: Building, body: number, tensors: TensorNode | undefined, place: Place): void {
  const { model } = building;
  building.modules.push({ name: "", type: model.rootType });
  addNode(building, model.family.base, body, tensors?.children.get(model.family.base), place);
  if (model.rootType.endsWith("ForTokenClassification")) building.modules.push({ name: "dropout", type: "Dropout" });
  building.modules.push({ name: "score", type: "Linear" });
}

function addNode(building: Building, path: string, at: number, trie: TensorNode | undefined, place: Place): void {
  if (building.modules.length > maxModules) return;
  const part = building.model.parts.get(path);
  if (part !== undefined) {
    const values = new RecordedValues(valueBelow(building.json, part.configPath), part.family);
    const inner = { family: part.family, values, at: place.at };
    addForm(building, path, nodeAt(part.node), trie, inner);
    return;
  }
  addForm(building, path, nodeAt(at), trie, place);
}

function addForm(
  building: Building,
  path: string,
  node: RecordedNode,
  trie: TensorNode | undefined,
  place: Place,
): void {
  if (node[0] === "O") {
    addForm(building, path, nodeAt(chosenForm(building, path, node, trie, place)), trie, place);
    return;
  }
  if (node[0] === "L") {
    addList(building, path, node, trie, place);
    return;
  }
  if (node[0] === "A") {
    const type = activationClass(textOf(place.values.valueAt(node[1])));
    building.modules.push(type === undefined ? { name: path } : { name: path, type });
    if (type === undefined) building.doubtful.add(`${generalName(path)} (${node[1]})`);
    return;
  }
  addModule(building, path, node, trie, place);
}

function addModule(
  building: Building,
  path: string,
  node: Extract<RecordedNode, readonly ["F", ...unknown[]]>,
  trie: TensorNode | undefined,
  place: Place,
): void {
  const [, type, kind, , children] = node;
  const isRoot = path === "" && building.model.shape !== "body";
  const name = isRoot ? building.model.rootType : type.replaceAll("@", place.family.prefix);
  building.modules.push({ name: path, type: name });
  if (kind === 1) building.containers.add(path);
  if (kind === 2) building.moduleDicts.add(path);
  const known = new Set<string>();
  for (let index = 0; index + 1 < children.length; index += 2) {
    const child = String(children[index]);
    const below = trie?.children.get(child);
    known.add(child);
    const at = Number(children[index + 1]);
    const childPath = path === "" ? child : `${path}.${child}`;
    if (building.isCheckpoint && trie !== undefined && below === undefined && bearsTensors(at))
      building.withoutTensors.push(childPath);
    addNode(building, childPath, at, below, place);
  }
  for (const child of trie?.children.keys() ?? []) {
    if (!known.has(child)) building.notLoaded.push(path === "" ? child : `${path}.${child}`);
  }
}

function addList(
  building: Building,
  path: string,
  node: Extract<RecordedNode, readonly ["L", ...unknown[]]>,
  trie: TensorNode | undefined,
  place: Place,
): void {
  const [, type, rule, recordedLength, element] = node;
  const length = lengthOf(building, path, node, trie, place) ?? recordedLength;
  building.modules.push({ name: path, type });
  building.containers.add(path);
  for (let index = 0; index < length; index += 1) {
    const below = trie?.children.get(String(index));
    const at = { index: [...place.at.index, index], length: [...place.at.length, length] };
    if (trie !== undefined && below === undefined && bearsTensors(element))
      building.withoutTensors.push(`${path}.${index}`);
    addNode(building, `${path}.${index}`, element, below, { ...place, at });
  }
  if (rule === null && trie === undefined) building.doubtful.add(`${generalName(path)} (its length)`);
  for (const child of trie?.children.keys() ?? []) {
    if (!/^\d+$/.test(child) || Number(child) >= length) building.notLoaded.push(`${path}.${child}`);
  }
}

/** By the rule where config.json says the value itself, else by the tensors, else by the rule and the library's default. */
function lengthOf(
  building: Building,
  path: string,
  node: Extract<RecordedNode, readonly ["L", ...unknown[]]>,
  trie: TensorNode | undefined,
  place: Place,
): number | undefined {
  const [, , rule, , element] = node;
  const byRule = place.values.lengthOf(rule);
  const isSaid = Array.isArray(rule) && place.values.says(String(rule[1]));
  if (isSaid && byRule !== undefined) return byRule;
  if (trie !== undefined && typeof rule !== "number" && bearsTensors(element)) {
    const numbers = [...trie.children.keys()].filter((key) => /^\d{1,5}$/.test(key)).map(Number);
    return numbers.reduce((most, number) => Math.max(most, number), -1) + 1;
  }
  if (Array.isArray(rule))
    building.doubtful.add(`${generalName(path)} (its length: config.json does not say ${rule[1]})`);
  return byRule;
}

function chosenForm(
  building: Building,
  path: string,
  node: Extract<RecordedNode, readonly ["O", ...unknown[]]>,
  trie: TensorNode | undefined,
  place: Place,
): number {
  const [, rule, forms] = node;
  const ruled = rule === null ? undefined : place.values.formOf(rule, place.at);
  const first = forms[0] ?? 0;
  if (trie === undefined) {
    if (ruled === undefined) building.doubtful.add(generalName(path));
    return forms[ruled ?? 0] ?? first;
  }
  const misfits = forms.map((form) => mismatchOf(form, trie));
  const least = Math.min(...misfits);
  if (ruled !== undefined && misfits[ruled] === least) return forms[ruled] ?? first;
  const fitting = forms.filter((_, at) => misfits[at] === least);
  if (fitting.length > 1 || least > 0) building.doubtful.add(generalName(path));
  return fitting[0] ?? first;
}

/** A place's name with `#` for every number, so that the layers of a model are named once. */
function generalName(path: string): string {
  return path.replaceAll(/(?<=^|\.)\d+(?=\.|$)/g, "#");
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
