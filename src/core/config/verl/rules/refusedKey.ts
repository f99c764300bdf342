import type { MappingEntry } from "../../document/configNode.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext } from "../blockRule.js";

/** The finding on a key that its dataclass does not take; of an override Hydra refuses it earlier, unless it is added. */
export function refusedKey({ carrier }: BlockContext, entry: MappingEntry, finding: Finding): Finding {
  const isRefusedEarlier = carrier.kind === "override" && carrier.arrivalOf(entry)?.isPlainSet === true;
  const moment = isRefusedEarlier ? " Without + Hydra refuses it at composition already." : "";
  return { ...finding, message: `${finding.message}${moment}`, refusesKey: true };
}
