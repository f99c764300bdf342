import { scalarOf } from "../../document/configNode.js";
import { replaceFix } from "../../document/edits.js";
import { describeRange, isInside } from "../../rules/outOfRange.js";
import type { Finding } from "../../rules/rule.js";
import type { TrainingRange } from "../fields/trainingField.js";
import type { TrainingContext } from "../trainingContext.js";
import type { WrittenKey } from "../writtenKeys.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";
import { pythonNumber } from "./wrongType.js";

/** A number outside the bounds of the field table. */
export const outOfRange: TrainingRule = {
  code: "out-of-range",
  severities: ["error", "warning"],
  explanation:
    "VeOmni checks a few numbers at start-up: the host cache limit (finite, not negative, its byte count below sys.maxsize), sizes of parallel groups, intervals.",
  example: trainingExample({ model: offloadLines("activation_offload_host_cache_limit_gb: -1") }),
  check: (context) => context.written.flatMap((written) => findingFor(context, written)),
};

function findingFor(context: TrainingContext, written: WrittenKey): readonly Finding[] {
  const { field, entry, path } = written;
  const value = scalarOf(entry.value);
  if (field === undefined || (value?.type !== "int" && value?.type !== "float")) return [];
  const range = field.ranges?.find(({ layouts }) => layouts === undefined || layouts.includes(context.layout));
  if (range === undefined || isInside(value.value, range)) return [];
  const known = typeof field.default === "number" ? [pythonNumber(field.type, field.default)] : [];
  return [
    {
      span: entry.value.span,
      severity: range.checked === false ? "warning" : "error",
      message: `${path} must be ${boundsOf(range)}: ${range.failure}.`,
      fixes:
        entry.value.kind === "scalar"
          ? known.map((text) => replaceFix(`Write the default, ${text}`, entry.value.span, text))
          : [],
    },
  ];
}

function boundsOf(range: TrainingRange): string {
  const isOneValue = range.minimum !== undefined && range.minimum === range.maximum;
  return isOneValue ? String(range.minimum) : describeRange(range);
}
