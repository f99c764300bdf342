import type { ModelDimensions } from "../dimensions.js";
import { indexOf } from "../selection/moduleIndex.js";
import type { ModuleTree } from "../tree.js";

/** Tokens of one micro-batch on one device, and the size of an element. */
export interface TokenCount {
  readonly tokens: number;
  readonly bytesPerElement: number;
}

/**
 * Bytes that autograd saves inside a module beside its input, in eager transformers code with gated MLP and sdpa attention (the set
 * that reproduces the recorded runs): an MLP saves gate, its activation, up and their product; attention saves what its query and key
 * norms, the attention itself and its output need. `undefined` where the module has another shape or a size is unknown.
 */
export function keptBytes(
  tree: ModuleTree,
  name: string,
  { tokens, bytesPerElement }: TokenCount,
  sizes: ModelDimensions,
): number | undefined {
  const children = new Set(
    indexOf(tree)
      .childrenOf(name)
      .map((child) => child.name.slice(name.length + 1)),
  );
  const type = indexOf(tree).find(name)?.type ?? "";
  if (children.has("gate_proj") && children.has("down_proj")) {
    return sizes.feedForwardSize === undefined ? undefined : 4 * tokens * sizes.feedForwardSize * bytesPerElement;
  }
  if (children.has("q_proj") && children.has("o_proj") && children.has("v_proj")) {
    return attentionBytes(tokens, bytesPerElement, sizes, children.has("q_norm"));
  }
  if (/RMSNorm$/.test(type) && sizes.hiddenSize !== undefined) {
    return normBytes(tokens, tokens * sizes.hiddenSize, bytesPerElement);
  }
  return children.size === 0 && /Linear$/.test(type) ? 0 : undefined;
}

function attentionBytes(
  tokens: number,
  bytesPerElement: number,
  { heads, keyValueHeads, headSize }: ModelDimensions,
  hasNorms: boolean,
): number | undefined {
  if (heads === undefined || keyValueHeads === undefined || headSize === undefined) return undefined;
  const queries = tokens * heads * headSize;
  const keys = tokens * keyValueHeads * headSize;
  const norms = hasNorms
    ? normBytes(tokens * heads, queries, bytesPerElement) + normBytes(tokens * keyValueHeads, keys, bytesPerElement)
    : 0;
  return norms + (2 * queries + 2 * keys) * bytesPerElement + 4 * tokens * heads;
}

/** A norm saves an fp32 copy of its input, the normalised values and one fp32 root per row. */
function normBytes(rows: number, elements: number, bytesPerElement: number): number {
  return elements * (4 + bytesPerElement) + 4 * rows;
}
