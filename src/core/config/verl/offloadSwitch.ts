import { entryOf, scalarOf } from "../document/configNode.js";
import { type SwitchState, switchStateOf } from "../document/switchState.js";
import type { EngineBlock } from "./engineBlock.js";

/** State of `enable_async_activation_offload` in a block. */
export function asyncSwitchOf(block: EngineBlock): SwitchState {
  return switchStateOf(entryOf(block.mapping, "enable_async_activation_offload"));
}

/** True for engines that never run backward: the reference policy, or `forward_only: true`. */
export function runsForwardOnly(block: EngineBlock): boolean {
  if (block.role === "ref") return true;
  const forwardOnly = scalarOf(entryOf(block.mapping, "forward_only")?.value);
  return forwardOnly?.type === "bool" && forwardOnly.value;
}
