import type { Severity } from "../document/diagnostic.js";
import type { EngineBlock } from "./engineBlock.js";
import type { FieldSpec } from "./fields/fieldSpec.js";
import { asyncSwitchOf } from "./offloadSwitch.js";

/**
 * Severity by consequence: `whenRead` where the engine reads the value, `information` where it never gets that far, because the
 * key is overwritten or unused, or because the switch that makes the engine look at the module list is off.
 */
export function severityFor(block: EngineBlock, field: FieldSpec, whenRead: Severity): Severity {
  if (field.reader === "nobody" || field.reader === "worker") return "information";
  const neverReached = field.key === "activation_offload_modules" && asyncSwitchOf(block) === "off";
  return neverReached ? "information" : whenRead;
}
