import type { ModuleTree } from "../tree.js";
import { type IndexNode, indexOf, type ModuleIndex } from "./moduleIndex.js";

/** One child of a value with a length: `module` is the canonical name in the tree, absent where it is no listed module. */
export interface ContainerChild {
  readonly module: string | undefined;
  readonly type: string | null;
}

/**
 * What Python's chained `getattr` finds from the model. `certain` is false where a list of modules cannot tell: the name may
 * belong to an attribute that is no module.
 */
export type AttributeValue =
  | { readonly kind: "missing"; readonly segment: string; readonly parent: string; readonly certain: boolean }
  | { readonly kind: "none" }
  | { readonly kind: "no-length"; readonly typeName: string; readonly module: string | undefined }
  | {
      readonly kind: "sized";
      readonly length: number;
      /** Whether the children are modules of the model. */
      readonly modules: boolean;
      children(): readonly ContainerChild[];
    };

const containerTypes = new Set(["ModuleList", "Sequential", "ModuleDict", "ParameterList", "ParameterDict"]);

/** Attributes that every `torch.nn.Module` or every transformers model has and that have no length. */
const methodsOfModules = new Set(
  (
    "forward train eval requires_grad_ parameters named_parameters buffers named_buffers modules named_modules children " +
    "named_children state_dict load_state_dict apply cuda cpu to type half float double bfloat16 zero_grad add_module " +
    "register_module register_buffer register_parameter register_forward_hook register_forward_pre_hook get_submodule " +
    "get_parameter get_buffer extra_repr share_memory compile"
  ).split(" "),
);
const attributesOfRoot = new Map([
  ["config", "config"],
  ["generation_config", "GenerationConfig"],
  ["device", "device"],
  ["dtype", "dtype"],
  ["generate", "method"],
  ["save_pretrained", "method"],
  ["get_input_embeddings", "method"],
]);

/**
 * Walks `prefix` attribute by attribute from the model, as the framework does for the text before `{*}`.
 * Every segment must be non-empty to exist; numbered children of containers are reachable by name.
 */
export function resolveAttribute(tree: ModuleTree, prefix: string): AttributeValue {
  const index = indexOf(tree);
  const segments = prefix.split(".");
  let current = "";
  for (const [at, segment] of segments.entries()) {
    const path = current === "" ? segment : `${current}.${segment}`;
    const written = segments.slice(0, at + 1).join(".");
    const target = segment === "" ? undefined : moduleAt(index, path, written);
    if (target === undefined)
      return otherAttribute(index, { segment, path, written, parent: current }, segments.slice(at + 1));
    current = target;
  }
  return moduleValue(index, current);
}

/** The name under which the tree lists what `name` reaches, through aliases of it or of its parents; else `name`. */
export function canonicalName(tree: ModuleTree, name: string): string {
  if (tree.aliases === undefined || tree.aliases.size === 0 || name === "") return name;
  const index = indexOf(tree);
  let current = "";
  let written = "";
  for (const segment of name.split(".")) {
    const path = current === "" ? segment : `${current}.${segment}`;
    written = written === "" ? segment : `${written}.${segment}`;
    current = moduleAt(index, path, written) ?? path;
  }
  return current;
}

function moduleAt(index: ModuleIndex, path: string, written: string): string | undefined {
  if (index.find(path) !== undefined) return path;
  const { aliases } = index.tree;
  return aliases?.get(path) ?? aliases?.get(written);
}

interface Step {
  readonly segment: string;
  readonly path: string;
  readonly written: string;
  readonly parent: string;
}

function otherAttribute(index: ModuleIndex, step: Step, rest: readonly string[]): AttributeValue {
  const { tree } = index;
  const { segment, path, parent } = step;
  const has = (names: { has(name: string): boolean } | undefined) =>
    names?.has(path) === true || names?.has(step.written) === true;
  const missing = (certain: boolean): AttributeValue => ({ kind: "missing", segment, parent, certain });
  if (segment === "") return missing(true);
  const whole =
    rest.length === 0
      ? undefined
      : listedAttribute(
          tree,
          [path, step.written].map((name) => [name, ...rest].join(".")),
        );
  if (whole !== undefined) return whole;
  if (has(tree.noneAttributes)) return rest.length === 0 ? { kind: "none" } : missing(true);
  const length = tree.sizedAttributes?.get(path) ?? tree.sizedAttributes?.get(step.written);
  if (length !== undefined) return rest.length === 0 ? sizedValue(length) : missing(rest[0] === "");
  const plain = plainAttribute(parent, segment);
  if (plain !== undefined) {
    return rest.length === 0 ? { kind: "no-length", typeName: plain, module: undefined } : missing(rest[0] === "");
  }
  const listsAttributes = tree.noneAttributes !== undefined || tree.sizedAttributes !== undefined;
  return missing(listsAttributes);
}

/** An attribute that the tree lists by its whole path, e.g. one of the configuration object. */
function listedAttribute(tree: ModuleTree, paths: readonly string[]): AttributeValue | undefined {
  for (const path of paths) {
    const length = tree.sizedAttributes?.get(path);
    if (length !== undefined) return sizedValue(length);
    if (tree.noneAttributes?.has(path) === true) return { kind: "none" };
  }
  return undefined;
}

function plainAttribute(parent: string, segment: string): string | undefined {
  if (methodsOfModules.has(segment)) return "method";
  if (segment === "training") return "bool";
  return parent === "" ? attributesOfRoot.get(segment) : undefined;
}

function sizedValue(length: number): AttributeValue {
  const child: ContainerChild = { module: undefined, type: null };
  return { kind: "sized", length, modules: false, children: () => new Array<ContainerChild>(length).fill(child) };
}

function moduleValue(index: ModuleIndex, name: string): AttributeValue {
  const { tree } = index;
  const type = index.find(name)?.type;
  const isContainer = tree.containers.has(name) || tree.moduleDicts.has(name) || containerTypes.has(type ?? "");
  if (!isContainer) return { kind: "no-length", typeName: type ?? "Module", module: name };
  const listed = index.childrenOf(name);
  const length = tree.containerLengths?.get(name) ?? listed.length;
  const children = () => Array.from({ length }, (_, at) => childAt(index, name, at, listed[at]));
  return { kind: "sized", length, modules: true, children };
}

/** The child at a position: by number in lists, else (`ModuleDict`, named `Sequential`) by order. */
function childAt(index: ModuleIndex, container: string, at: number, listed: IndexNode | undefined): ContainerChild {
  const numbered = moduleAt(index, `${container}.${at}`, `${container}.${at}`);
  const name = numbered ?? listed?.name;
  return { module: name, type: name === undefined ? null : (index.find(name)?.type ?? null) };
}
