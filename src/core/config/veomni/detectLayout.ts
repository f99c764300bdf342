import type { ConfigDocument } from "../document/configDocument.js";
import { asMapping, entryOf, type MappingEntry, scalarOf } from "../document/configNode.js";
import type { TextSpan } from "../document/diagnostic.js";
import { trainingFields } from "./fields/fieldTable.js";
import { flatOnlyKeys } from "./fields/strayKeys.js";
import { isLayoutId, type LayoutId, newestLayout } from "./layout.js";

/** Which layout a file was taken for, and what in the file says so. */
export interface LayoutDetection {
  readonly layout: LayoutId;
  /** `pin`: a first-line comment. `option`: the caller. `keys`: the file's own keys. `default`: nothing, so the newest. */
  readonly origin: "pin" | "option" | "keys" | "default";
  /** Places of the keys that speak for the layout, or of the pin. */
  readonly evidence: readonly TextSpan[];
  /** Keys that belong to another layout than the detected one, where the file holds such too. */
  readonly mixed?: { readonly layout: LayoutId; readonly evidence: readonly TextSpan[] };
  /** A pin that names no layout. */
  readonly badPin?: LayoutPin;
}

/** What a first line `# offload-lens: layout=…` says, right or wrong. */
export interface LayoutPin {
  readonly text: string;
  readonly span: TextSpan;
}

const pinPattern = /^\uFEFF?[ \t]*#[ \t]*offload-lens:[ \t]*layout[ \t]*=[ \t]*([^\s#]*)/;

/** Top-level places that only the flat layout has. */
const flatPaths: readonly string[] = [
  ...trainingFields.flatMap((field) => {
    const { flat } = field.paths;
    return flat === undefined || flat === field.paths["train-scoped"] ? [] : [flat];
  }),
  ...flatOnlyKeys.map((key) => key.path),
];
const asyncKeys = ["enable_async_activation", "activation_offload_modules", "activation_offload_host_cache_limit_gb"];
const templateKeys = ["chat_template", "processor_config", "use_remove_padding"];
const weakTrainKeys = [
  "gradient_checkpointing",
  "torch_compile",
  "chunk_mbs_config",
  "init_device",
  "broadcast_model_weights_from_rank0",
  "ep_sharded_stream_load",
];
const weakModelKeys = ["broadcast_model_weights_from_rank0", "ep_sharded_stream_load", "modules"];

/** The layout that the first line of a text asks for, as written. */
export function pinOf(text: string): LayoutPin | undefined {
  const match = pinPattern.exec(text.slice(0, 500));
  const value = match?.[1];
  if (match === null || value === undefined) return undefined;
  const end = match[0].length;
  return { text: value, span: { start: end - value.length, end } };
}

/**
 * Says which layout a training config is written in. A pin in the file counts before `option`, that before the keys. Of keys,
 * `model.accelerator` and `model.optimizer` count most, then `train.accelerator` and the `train.optimizer` block, then keys that
 * only the flat layout has, then blocks and keys that moved between `train` and `model`, last `data.chat_template`. The async and
 * template layouts are told by their own keys.
 */
export function detectLayout(document: ConfigDocument, option?: LayoutId): LayoutDetection {
  const found = collectEvidence(document);
  const byKeys = layoutByKeys(found);
  const pin = pinOf(document.text);
  if (pin !== undefined && isLayoutId(pin.text)) {
    return { layout: pin.text, origin: "pin", evidence: [pin.span], ...mixedWith(pin.text, found) };
  }
  const badPin = pin === undefined ? {} : { badPin: pin };
  if (option !== undefined) {
    return { layout: option, origin: "option", evidence: [], ...mixedWith(option, found), ...badPin };
  }
  if (byKeys === undefined) return { layout: newestLayout, origin: "default", evidence: [], ...badPin };
  return { ...byKeys, origin: "keys", ...mixedWith(byKeys.layout, found), ...badPin };
}

interface Evidence {
  readonly model: readonly TextSpan[];
  readonly template: readonly TextSpan[];
  readonly train: readonly TextSpan[];
  readonly async: readonly TextSpan[];
  readonly flat: readonly TextSpan[];
  readonly weakTrain: readonly TextSpan[];
  readonly weakModel: readonly TextSpan[];
  readonly oldTemplate: readonly TextSpan[];
}

function collectEvidence(document: ConfigDocument): Evidence {
  const at = (path: string): MappingEntry | undefined => entryAt(document, path);
  const spans = (entries: readonly (MappingEntry | undefined)[]): readonly TextSpan[] =>
    entries.flatMap((entry) => (entry === undefined ? [] : [entry.keySpan]));
  const offload = "train.accelerator.offload_config";
  return {
    model: spans([at("model.accelerator"), at("model.optimizer")]),
    template: spans(templateKeys.map((key) => at(`model.${key}`))),
    train: spans([at("train.accelerator"), blockAt(at("train.optimizer"))]),
    async: spans(asyncKeys.map((key) => at(`${offload}.${key}`))),
    flat: spans(flatPaths.map((path) => (path === "train.optimizer" ? textAt(at(path)) : at(path)))),
    weakTrain: spans(weakTrainKeys.map((key) => at(`train.${key}`))),
    weakModel: spans(weakModelKeys.map((key) => at(`model.${key}`))),
    oldTemplate: spans([at("data.chat_template")]),
  };
}

function layoutByKeys(found: Evidence): { layout: LayoutId; evidence: readonly TextSpan[] } | undefined {
  if (found.model.length > 0) return modelScoped(found, found.model);
  if (found.train.length > 0) return trainScoped(found, found.train);
  if (found.flat.length > 0) return { layout: "flat", evidence: found.flat };
  if (found.template.length > 0 || found.weakModel.length > 0) return modelScoped(found, found.weakModel);
  if (found.weakTrain.length > 0) return { layout: "train-scoped", evidence: found.weakTrain };
  if (found.oldTemplate.length > 0) return { layout: "model-scoped", evidence: found.oldTemplate };
  return undefined;
}

function modelScoped(found: Evidence, evidence: readonly TextSpan[]) {
  if (found.template.length === 0) return { layout: "model-scoped", evidence } as const;
  return { layout: "model-scoped+template", evidence: [...evidence, ...found.template] } as const;
}

function trainScoped(found: Evidence, evidence: readonly TextSpan[]) {
  if (found.async.length === 0) return { layout: "train-scoped", evidence } as const;
  return { layout: "train-scoped+async", evidence: [...evidence, ...found.async] } as const;
}

/** Evidence against the chosen layout, that of the newest other one. */
function mixedWith(layout: LayoutId, found: Evidence): Pick<LayoutDetection, "mixed"> {
  const families = [
    {
      layout: "model-scoped",
      evidence: [...found.model, ...found.weakModel],
      members: ["model-scoped", "model-scoped+template"],
    },
    { layout: "train-scoped", evidence: found.train, members: ["train-scoped", "train-scoped+async"] },
    { layout: "flat", evidence: found.flat, members: ["flat"] },
  ] as const;
  const other = families.find(
    (family) => family.evidence.length > 0 && !(family.members as readonly LayoutId[]).includes(layout),
  );
  return other === undefined ? {} : { mixed: { layout: other.layout, evidence: other.evidence } };
}

function entryAt(document: ConfigDocument, path: string): MappingEntry | undefined {
  let mapping = asMapping(document.root);
  let start = 0;
  for (let dot = path.indexOf("."); dot >= 0 && mapping !== undefined; dot = path.indexOf(".", start)) {
    mapping = asMapping(entryOf(mapping, path.slice(start, dot))?.value);
    start = dot + 1;
  }
  return entryOf(mapping, path.slice(start));
}

function blockAt(entry: MappingEntry | undefined): MappingEntry | undefined {
  return entry !== undefined && asMapping(entry.value) !== undefined ? entry : undefined;
}

function textAt(entry: MappingEntry | undefined): MappingEntry | undefined {
  return scalarOf(entry?.value)?.type === "str" ? entry : undefined;
}
