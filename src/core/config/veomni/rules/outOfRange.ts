import { rangeFindings } from "../../rules/outOfRange.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** A number outside the bounds of the field table. */
export const outOfRange: TrainingRule = {
  code: "out-of-range",
  severities: ["error", "warning"],
  explanation:
    "VeOmni checks a few numbers at start-up: the host cache limit (finite, not negative, its byte count below sys.maxsize), sizes of parallel groups, intervals.",
  example: trainingExample({ model: offloadLines("activation_offload_host_cache_limit_gb: -1") }),
  check: ({ layout, written }) =>
    written.flatMap((each) => {
      const range = each.field?.ranges?.find(({ layouts }) => layouts?.includes(layout) ?? true);
      return rangeFindings(each, range, each.field?.default, () => (range?.checked === false ? "warning" : "error"));
    }),
};
