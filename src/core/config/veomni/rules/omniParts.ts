import { asMapping, entryOf, type MappingEntry } from "../../document/configNode.js";
import type { Finding } from "../../rules/rule.js";
import type { TrainingContext } from "../trainingContext.js";
import { placedKey } from "../trainingContext.js";
import { trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** An encoder or decoder of SeedOmni that names no model. */
export const omniParts: TrainingRule = {
  code: "omni-parts",
  severities: ["error"],
  explanation:
    "Every entry of model.encoders (image, video, audio) and model.decoders (image) needs model_path or config_path; other keys raise ValueError.",
  example: trainingExample(
    { pin: "train-scoped", model: ["encoders: {image: {}}"] },
    { pin: "train-scoped", model: ["encoders: {image: {model_path: ViT-L}}"] },
  ),
  check: findingFor,
};

const parts = [
  { name: "model.encoders", kinds: ["image", "video", "audio"] },
  { name: "model.decoders", kinds: ["image"] },
] as const;

function findingFor(context: TrainingContext): readonly Finding[] {
  return parts.flatMap(({ name, kinds }) => {
    const written = placedKey(context, name);
    const entries = asMapping(written?.entry.value)?.entries ?? [];
    return entries.slice(0, 100).flatMap((entry) => problemOf(name, kinds, entry));
  });
}

function problemOf(name: string, kinds: readonly string[], entry: MappingEntry): readonly Finding[] {
  const finding = (message: string): readonly Finding[] => [{ span: entry.keySpan, severity: "error", message }];
  if (!kinds.includes(entry.key)) return finding(`${name} takes ${kinds.join(", ")} only: VeOmni raises ValueError.`);
  const part = asMapping(entry.value);
  const isNamed = ["model_path", "config_path"].some((key) => entryOf(part, key) !== undefined);
  return isNamed ? [] : finding(`${name}.${entry.key} needs model_path or config_path: VeOmni raises ValueError.`);
}
