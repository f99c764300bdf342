import type { ConfigDocument } from "../document/configDocument.js";
import { nodeAt } from "../document/configNode.js";
import type { TrainerKind } from "./fields/trainingField.js";

const evidence: readonly { readonly kind: TrainerKind; readonly paths: readonly string[] }[] = [
  { kind: "DPO", paths: ["dpo_config"] },
  { kind: "DiT", paths: ["train.training_task", "model.condition_model_path"] },
  { kind: "VLM", paths: ["data.mm_configs", "train.freeze_vit"] },
];

/**
 * Which trainers a file is written for, by the keys that only they read, else by the folder of VeOmni's config tree. Empty for
 * the plain text trainer and wherever nothing tells.
 */
export function trainersOf(path: string, document: ConfigDocument): readonly TrainerKind[] {
  const byKeys = evidence
    .filter(({ paths }) => paths.some((each) => nodeAt(document.root, each.split(".")) !== undefined))
    .map(({ kind }) => kind);
  if (byKeys.includes("DiT")) return byKeys.filter((kind) => kind !== "VLM");
  if (byKeys.length > 0) return byKeys;
  const folder = /(?:^|\/)configs\/(dit|multimodal)\//.exec(path.replaceAll("\\", "/"))?.[1];
  if (folder === "dit") return ["DiT"];
  return folder === "multimodal" ? ["VLM"] : [];
}

/** True for files that lie where VeOmni keeps configs of the plain text trainer. */
export function isTextTrainerPath(path: string): boolean {
  return /(?:^|\/)configs\/text\//.test(path.replaceAll("\\", "/"));
}
