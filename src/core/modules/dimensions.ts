import { ConfigValues } from "./configValues.js";
import { decoderFamilyOf } from "./decoderFamilies.js";
import { type LayerInput, layerInputOf } from "./layerInput.js";

/** Sizes of a text model; a member is absent where config.json does not say. */
export interface ModelDimensions {
  readonly hiddenSize?: number;
  readonly feedForwardSize?: number;
  readonly heads?: number;
  readonly keyValueHeads?: number;
  readonly headSize?: number;
  /** Where a layer is called with more than one tensor of the hidden size, or of another type. */
  readonly layerInput?: LayerInput;
}

type Sizes = Omit<ModelDimensions, "layerInput">;

const keys: Readonly<Record<keyof Sizes, readonly string[]>> = {
  hiddenSize: ["hidden_size", "n_embd", "d_model"],
  feedForwardSize: ["intermediate_size", "n_inner", "ffn_dim"],
  heads: ["num_attention_heads", "n_head"],
  keyValueHeads: ["num_key_value_heads"],
  headSize: ["head_dim"],
};

/**
 * Reads the sizes of the text model from a parsed config.json; with fewer key/value heads unsaid, there are as many as heads. A family
 * whose MLP is four times as wide as the model where the file is silent is in the record of decoder families.
 */
export function readDimensions(json: unknown): ModelDimensions {
  const config = new ConfigValues(json);
  const found: { -readonly [K in keyof Sizes]: number } = {};
  for (const name of Object.keys(keys) as (keyof Sizes)[]) {
    const value = keys[name].map((key) => config.size(key)).find((size) => size !== undefined);
    if (value !== undefined) found[name] = value;
  }
  const isWide = decoderFamilyOf(config.modelTypes())?.wideMlpByDefault === true;
  if (isWide && found.hiddenSize !== undefined) found.feedForwardSize ??= 4 * found.hiddenSize;
  if (found.heads !== undefined) {
    found.keyValueHeads ??= found.heads;
    if (found.hiddenSize !== undefined) found.headSize ??= Math.floor(found.hiddenSize / found.heads);
  }
  const layerInput = layerInputOf(json);
  return layerInput === undefined ? found : { ...found, layerInput };
}
