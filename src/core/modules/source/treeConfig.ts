import { textActivation, visionActivation } from "../families/activations.js";

/** What a module tree needs from a model's config.json. Members are absent where the file does not say. */
export interface TreeConfig {
  readonly modelType?: string;
  readonly architecture?: string;
  readonly textType: string | undefined;
  readonly visionType: string | undefined;
  readonly declaredLayers: number | undefined;
  readonly activation: string | undefined;
  readonly visionActivation: string | undefined;
  readonly projectorActivation: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** More layers than any model has; a larger figure is not believed. */
const maxLayers = 10_000;
/** Names under which models write their number of layers. */
export const layerKeys = ["num_hidden_layers", "n_layer", "n_layers", "num_layers"];

/** Reads the members; a value of the wrong type counts as absent. */
export function readTreeConfig(json: unknown): TreeConfig {
  const config = asObject(json) ?? {};
  const thinker = asObject(config.thinker_config) ?? {};
  const text = asObject(config.text_config) ?? asObject(thinker.text_config) ?? {};
  const vision = asObject(config.vision_config) ?? asObject(thinker.vision_config) ?? {};
  const architectures = Array.isArray(config.architectures) ? config.architectures : [];
  const modelType = textAt(config, ["model_type"]);
  const textType = textAt(text, ["model_type"]);
  const visionType = textAt(vision, ["model_type"]);
  const types = [textType, modelType];
  const architecture = typeof architectures[0] === "string" ? architectures[0] : textAt(config, ["_class_name"]);
  return {
    ...(modelType === undefined ? {} : { modelType }),
    ...(architecture === undefined ? {} : { architecture }),
    textType,
    visionType,
    declaredLayers: layersOf(text) ?? layersOf(config),
    activation: textActivation(types, (key) => textAt(text, [key]) ?? textAt(config, [key])),
    visionActivation: textAt(vision, ["hidden_act"]) ?? visionActivation([visionType, modelType]),
    projectorActivation: textAt(config, ["projector_hidden_act"]),
  };
}

/** True when a number of layers is written that no model can have, such as -1 or a list. */
export function declaresImpossibleLayers(json: unknown): boolean {
  const config = asObject(json) ?? {};
  return [config, asObject(config.text_config) ?? {}].some((part) =>
    layerKeys.some((key) => part[key] !== undefined && part[key] !== null && !isLayerCount(part[key])),
  );
}

function layersOf(config: Json): number | undefined {
  for (const key of layerKeys) {
    const value = config[key];
    if (isLayerCount(value)) return value;
  }
  return undefined;
}

function textAt(config: Json, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = config[key];
    if (typeof value === "string" && value !== "") return value;
  }
  return undefined;
}

function isLayerCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= maxLayers;
}

function asObject(value: unknown): Json | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
}
