import { type RecordedFamily, type RecordedNode, recording } from "./recordedFamilies.js";
import { textFamilies } from "./textFamilies.js";

/** A recorded model inside another: the node that stands for it, and whose configuration it reads. */
export interface RecordedPart {
  readonly node: number;
  readonly family: RecordedFamily;
  /** Path of its configuration in the whole config.json; "" for the whole. */
  readonly configPath: string;
}

/** What the library builds for one config.json, as far as it was recorded. */
export interface RecordedModel {
  readonly family: RecordedFamily;
  readonly rootType: string;
  readonly noSplit: readonly string[];
  /** Parts that stand at a path instead of those of the recorded configuration. */
  readonly parts: ReadonlyMap<string, RecordedPart>;
  /** The body alone, or the body below another head: the lines beside the body. */
  readonly shape: "recorded" | "body" | "other head";
  /** Sentences on parts that were not recorded. */
  readonly doubts: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** Keys that decide which modules are built and were left alone when the classes were recorded, by `model_type` of the part. */
const notVaried: Readonly<Record<string, readonly string[]>> = {
  falcon: ["new_decoder_architecture"],
  opt: ["word_embed_proj_dim"],
  siglip_vision_model: ["vision_use_head"],
};
const otherHead = /For(Token|Sequence)Classification$/;

/** The recorded model for a parsed config.json; `undefined` where neither its class nor its family was recorded. */
export function recordedModelOf(json: unknown): RecordedModel | undefined {
  const config = asObject(json);
  const modelType = typeof config.model_type === "string" ? config.model_type : "";
  const candidates = recording().byType.get(modelType) ?? [];
  const [first] = Array.isArray(config.architectures) ? config.architectures : [];
  const architecture = typeof first === "string" ? first : candidates[0]?.architecture;
  const exact = candidates.find((family) => family.architecture === architecture) ?? renamedType(architecture);
  if (exact !== undefined) return withParts(exact, exact.architecture, config, "recorded");
  const [family] = candidates;
  if (family === undefined || architecture === undefined || bodyOf(family) === undefined) return undefined;
  if (typeOf(bodyOf(family), family) === architecture) return withParts(family, architecture, config, "body");
  return otherHead.test(architecture) ? withParts(family, architecture, config, "other head") : undefined;
}

/** Some classes are saved with the `model_type` of the model that holds them, e.g. a text class of a model that also sees. */
function renamedType(architecture: string | undefined): RecordedFamily | undefined {
  const named = recording().families.filter((family) => family.architecture === architecture);
  return named.length === 1 ? named[0] : undefined;
}

/** The node of the body; `undefined` for classes without one. */
export function bodyOf(family: RecordedFamily): number | undefined {
  return family.base === "" ? undefined : childOf(family.root, family.base);
}

/** The child's node by name, in the first form that has it. */
export function childOf(at: number, name: string): number | undefined {
  const node = nodeAt(at);
  if (node[0] === "O") return node[2].map((form) => childOf(form, name)).find((found) => found !== undefined);
  if (node[0] !== "F") return undefined;
  const index = node[4].findIndex((entry, place) => place % 2 === 0 && entry === name);
  const child = index < 0 ? undefined : node[4][index + 1];
  return typeof child === "number" ? child : undefined;
}

/** A node by its number. A number without a node is a bug of the recording. */
export function nodeAt(at: number): RecordedNode {
  const node = recording().nodes[at];
  if (node === undefined) throw new Error(`no recorded node ${at}`);
  return node;
}

/** Class of a node's first form. */
export function typeOf(at: number | undefined, family: RecordedFamily): string | undefined {
  if (at === undefined) return undefined;
  const node = nodeAt(at);
  if (node[0] === "O") return typeOf(node[2][0], family);
  return node[0] === "F" || node[0] === "L" ? node[1].replaceAll("@", family.prefix) : undefined;
}

function withParts(
  family: RecordedFamily,
  rootType: string,
  config: Json,
  shape: RecordedModel["shape"],
): RecordedModel {
  const parts = new Map<string, RecordedPart>();
  const doubts = [...keysInDoubt(config, "", family.modelType)];
  let noSplit = family.noSplit;
  for (const [path, recorded] of Object.entries(family.parts)) {
    const actual = asObject(valueBelow(config, path)).model_type;
    doubts.push(...keysInDoubt(config, path, typeof actual === "string" ? actual : recorded));
    if (typeof actual !== "string" || actual === recorded) continue;
    const places = placesOf(family, path);
    const part = partFor(actual, path, places[0]?.node, family);
    if (part === undefined || places.length === 0) {
      doubts.push(`The part ${path} is a "${actual}": it is shown as the "${recorded}" that was recorded.`);
      continue;
    }
    for (const place of places) parts.set(place.path, part.part);
    noSplit = [...noSplit.filter((name) => !noSplitOf(recorded).includes(name)), ...part.noSplit];
  }
  return { family, rootType, noSplit: [...new Set(noSplit)].sort(), parts, shape, doubts };
}

function keysInDoubt(config: Json, path: string, modelType: string): readonly string[] {
  const part = asObject(valueBelow(config, path));
  const keys = Object.hasOwn(notVaried, modelType) ? (notVaried[modelType] ?? []) : [];
  return keys
    .filter((key) => part[key] !== undefined)
    .map((key) => `The key ${path === "" ? key : `${path}.${key}`} decides on modules in a way that was not recorded.`);
}

const partNames: Readonly<Record<string, readonly string[]>> = {
  text_config: ["language_model", "text_model"],
  vision_config: ["vision_tower", "vision_model", "image_tower", "visual"],
  audio_config: ["audio_tower", "audio_model"],
};

/** Where the part of a configuration stands in a recorded class. */
function placesOf(family: RecordedFamily, configPath: string): readonly { path: string; node: number }[] {
  const found: { path: string; node: number }[] = [];
  for (const name of partNames[configPath] ?? []) {
    const body = bodyOf(family);
    const inBody = body === undefined ? undefined : childOf(body, name);
    const inRoot = childOf(family.root, name);
    if (inBody !== undefined) found.push({ path: `${family.base}.${name}`, node: inBody });
    else if (inRoot !== undefined) found.push({ path: name, node: inRoot });
  }
  return found;
}

/** The recorded model of a `model_type` that may stand inside another: a text class or its body, or a tower of another model. */
function partFor(
  modelType: string,
  configPath: string,
  instead: number | undefined,
  family: RecordedFamily,
): { readonly part: RecordedPart; readonly noSplit: readonly string[] } | undefined {
  const { byType, families } = recording();
  const own = byType.get(modelType)?.[0];
  if (own !== undefined && configPath === "text_config") {
    const hasHead = /(ForCausalLM|LMHeadModel)$/.test(typeOf(instead, family) ?? "");
    const node = hasHead ? own.root : bodyOf(own);
    return node === undefined ? undefined : { part: { node, family: own, configPath }, noSplit: own.noSplit };
  }
  for (const other of families) {
    if (other.parts[configPath] !== modelType) continue;
    const [place] = placesOf(other, configPath);
    if (place === undefined) continue;
    const outside = new Set(
      Object.entries(other.parts).flatMap(([path, type]) => (path === configPath ? [] : noSplitOf(type))),
    );
    const noSplit = other.noSplit.filter((name) => !outside.has(name));
    return { part: { node: place.node, family: other, configPath: "" }, noSplit };
  }
  return undefined;
}

function noSplitOf(modelType: string): readonly string[] {
  const own = recording().byType.get(modelType)?.[0]?.noSplit;
  if (own !== undefined) return own;
  if (modelType === "clip_vision_model") return ["CLIPEncoderLayer", "CLIPTextEmbeddings", "CLIPVisionEmbeddings"];
  if (modelType === "siglip_vision_model") {
    return [
      "SiglipEncoderLayer",
      "SiglipMultiheadAttentionPoolingHead",
      "SiglipTextEmbeddings",
      "SiglipVisionEmbeddings",
    ];
  }
  const text = textFamilies.get(modelType);
  return text === undefined ? [] : text.noSplit.map((name) => name.replaceAll("@", text.prefix));
}

/** The value at a dotted path of an object; `undefined` if a step is missing. */
export function valueBelow(from: unknown, path: string): unknown {
  let value = from;
  for (const key of path === "" ? [] : path.split(".")) value = asObject(value)[key];
  return value;
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
