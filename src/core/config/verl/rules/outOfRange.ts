import type { Severity } from "../../document/diagnostic.js";
import { engineExample } from "../../rules/example.js";
import { rangeFindings } from "../../rules/outOfRange.js";
import type { BlockRule } from "../blockRule.js";
import type { EngineBlock } from "../engineBlock.js";
import type { FieldSpec } from "../fields/fieldSpec.js";
import { asyncSwitchOf } from "../offloadSwitch.js";
import { writtenFields } from "../writtenFields.js";

/** A number outside the bounds of the field table. */
export const outOfRange: BlockRule = {
  code: "out-of-range",
  severities: ["error", "information"],
  explanation:
    "Some numbers are checked at start-up. The host cache limit must be finite, not negative, and its byte count must fit sys.maxsize: at most 8589934591 units of 2^30 bytes.",
  example: engineExample("enable_async_activation_offload: true", "activation_offload_host_cache_limit_gb: -1"),
  check: ({ block }) =>
    writtenFields(block).flatMap((written) => {
      const { field } = written;
      return rangeFindings(written, field?.range, field?.yamlDefault, (value) => severityOf(block, field, value));
    }),
};

/** Only VeOmni applies the upper bound of the cache limit, and it looks at the limit only when offload is on. */
function severityOf(block: EngineBlock, field: FieldSpec | undefined, value: number): Severity {
  const onlyTooLarge = Number.isFinite(value) && value > (field?.range?.maximum ?? Number.POSITIVE_INFINITY);
  return onlyTooLarge && asyncSwitchOf(block) === "off" ? "information" : "error";
}
