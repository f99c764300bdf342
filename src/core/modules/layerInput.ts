import { ConfigValues } from "./configValues.js";
import record from "./layerInputs.json";

/** What a decoder layer of a model is called with, where that is not one tensor of the model's width and type. */
export interface LayerInput {
  /** Residual streams, each as wide as the model, in the one tensor; `undefined` where the source cannot know it. */
  readonly streams: number | undefined;
  /** The layer makes one stream of them with learned weights, whose gradients save them in ways that differ by family. */
  readonly mixesStreams: boolean;
  /** A sentence on what is not known about its size; absent where all is. */
  readonly doubt?: string;
}

interface LayerInputFamily {
  readonly modelTypes: readonly string[];
  readonly streams?: { readonly key: string; readonly default: number };
  readonly float32?: { readonly key?: string; readonly default: boolean };
}

const families: readonly LayerInputFamily[] = record.families;

/** The engine takes no more. */
const mostStreams = 64;

/** Reads it from a parsed config.json with the record of families; `undefined` for the usual case. */
export function layerInputOf(json: unknown): LayerInput | undefined {
  const config = new ConfigValues(json);
  const types = config.modelTypes();
  const family = types.map(familyOf).find((found) => found !== undefined);
  if (family === undefined) return unknownStreams(config);
  const { streams, float32 } = family;
  if (streams !== undefined) return readStreams(config, streams);
  const isWide = float32?.key === undefined ? float32?.default : config.flag(float32.key, float32.default);
  if (isWide !== true) return undefined;
  const doubt =
    "This family holds its residual in fp32, and mixed precision of FSDP may cast it to the type of the parameters: how many bytes a layer's input has is not known.";
  return { streams: undefined, mixesStreams: false, doubt };
}

function familyOf(modelType: string): LayerInputFamily | undefined {
  return families.find(({ modelTypes }) => modelTypes.includes(modelType));
}

function readStreams(
  config: ConfigValues,
  rule: { readonly key: string; readonly default: number },
): LayerInput | undefined {
  const streams = config.has(rule.key) ? config.size(rule.key) : rule.default;
  if (streams === undefined || streams > mostStreams) {
    const doubt = `config.json does not say in ${rule.key} how many residual streams the model has: the size of a layer's input is not known.`;
    return { streams: undefined, mixesStreams: true, doubt };
  }
  return streams === 1 ? undefined : { streams, mixesStreams: true };
}

/** A key that means residual streams in a recorded family, in one that was not recorded. */
function unknownStreams(config: ConfigValues): LayerInput | undefined {
  const key = families
    .flatMap(({ streams }) => (streams === undefined ? [] : [streams.key]))
    .find((each) => (config.size(each) ?? 1) > 1);
  if (key === undefined) return undefined;
  const doubt = `config.json says ${key} ${config.size(key)}, which means residual streams in other families: the size of a layer's input is not known here.`;
  return { streams: undefined, mixesStreams: true, doubt };
}
