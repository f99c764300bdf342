import type { ModuleTree } from "../tree.js";
import { indexOf } from "./moduleIndex.js";
import { layerStacks } from "./patternNotes.js";

/**
 * What a selected module is to the offload. `model` is the model itself or a body inside it, which is called with `input_ids` or
 * `inputs_embeds` and so without hidden states; `layer` is the enclosing layer's name.
 */
export type ModuleRole =
  | { readonly kind: "model" }
  | { readonly kind: "container" }
  | { readonly kind: "embedding" }
  | { readonly kind: "layer"; readonly tokens: TokenKind }
  | { readonly kind: "inside"; readonly layer: string; readonly tokens: TokenKind }
  | { readonly kind: "other" };

/** Whether a module sees text tokens, whose number the configuration gives, or patches and frames, whose number the data give. */
export type TokenKind = "text" | "data";

const dataTowers = /(^|\.)(visual|vision_tower|vision_model|audio_tower|vision_encoder|image_encoder)(\.|$)/;
const diffusion = /Transformer3DModel|TransformerModel|Transformer2DModel|FluxModel|WanModel/;

/** The role of a module by its place in the tree. */
export function roleOf(tree: ModuleTree, name: string): ModuleRole {
  if (name === "") return { kind: "model" };
  if (tree.containers.has(name) || tree.moduleDicts.has(name)) return { kind: "container" };
  const tokens: TokenKind = dataTowers.test(name) || diffusion.test(tree.architecture ?? "") ? "data" : "text";
  const type = indexOf(tree).find(name)?.type;
  const layer = layerOf(tree, name);
  if (layer === name) return { kind: "layer", tokens };
  if (layer !== undefined) return { kind: "inside", layer, tokens };
  if (tokens === "text" && stacksOf(tree).around.has(name)) return { kind: "model" };
  return type?.endsWith("Embedding") === true && !/Rotary|Position/.test(type)
    ? { kind: "embedding" }
    : { kind: "other" };
}

/** The layer that a module is or lies in: a child of one of the model's layer stacks, of the outermost where they are nested. */
function layerOf(tree: ModuleTree, name: string): string | undefined {
  const { stacks } = stacksOf(tree);
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    if (!stacks.has(name.slice(0, dot))) continue;
    const end = name.indexOf(".", dot + 1);
    return end < 0 ? name : name.slice(0, end);
  }
  return undefined;
}

/** The layer stacks of a tree, and every name that a stack lies below. */
interface Stacks {
  readonly stacks: ReadonlySet<string>;
  readonly around: ReadonlySet<string>;
}

const knownStacks = new WeakMap<ModuleTree, Stacks>();

function stacksOf(tree: ModuleTree): Stacks {
  const known = knownStacks.get(tree);
  if (known !== undefined) return known;
  const stacks = new Set(layerStacks(tree));
  const around = new Set<string>();
  for (const stack of stacks) {
    for (let dot = stack.indexOf("."); dot >= 0; dot = stack.indexOf(".", dot + 1)) around.add(stack.slice(0, dot));
  }
  const found = { stacks, around };
  knownStacks.set(tree, found);
  return found;
}

/** Classes whose blocks are checkpointed by a wrapper outside of them: the hooks then sit inside the checkpoint. */
export function isCheckpointedFromOutside(tree: ModuleTree): boolean {
  return tree.architecture === "WanTransformer3DModel";
}
