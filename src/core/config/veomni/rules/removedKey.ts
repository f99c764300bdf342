import type { Finding } from "../../rules/rule.js";
import type { StrayWrittenKey, TrainingContext } from "../trainingContext.js";
import { removeKeyFix } from "../trainingFixes.js";
import { trainingExample } from "./trainingExample.js";
import { type TrainingRule, unknownKeyConsequence, unknownKeySeverity } from "./trainingRule.js";

/** A key that VeOmni dropped without a successor. */
export const removedKey: TrainingRule = {
  code: "removed-key",
  severities: ["error", "warning"],
  explanation:
    "Some keys went with what they configured: FSDP1 (#756), the SeedOmni parts and ChunkMBS (not in the files since #1090).",
  example: trainingExample({ model: ["accelerator: {}", "foundation: {}"] }),
  check: (context) => context.strays.flatMap((stray) => findingFor(context, stray)),
};

function findingFor(context: TrainingContext, { written, found }: StrayWrittenKey): readonly Finding[] {
  if (found.kind !== "removed") return [];
  return [
    {
      span: written.entry.keySpan,
      severity: unknownKeySeverity(context),
      message: `${written.path} is gone; ${unknownKeyConsequence(context)}. ${found.note}`,
      fixes: removeKeyFix(context, written),
    },
  ];
}
