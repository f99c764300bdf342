import type { ModuleRole } from "../selection/moduleRole.js";
import type { SelectedEntry } from "../selection/selectionResult.js";

/**
 * What the offload does for one selected module in a step. `moves`: `copies` tensors go to the host, `bytes` in all; `stays`: they
 * are taken but the last index keeps them; `nothing`: no tensor is taken; `unknown`: the configuration cannot say.
 */
export interface ModuleEstimate {
  readonly name: string;
  readonly index: number;
  readonly effect: "moves" | "stays" | "nothing" | "unknown";
  readonly copies: number | null;
  readonly bytes: number | null;
  readonly reason: string;
}

/** One module with what is needed to sum up. */
export interface JudgedModule {
  readonly entry: SelectedEntry;
  readonly role: ModuleRole;
  readonly estimate: ModuleEstimate;
  /** Bytes of each copy that goes to the host. */
  readonly buffers: readonly number[] | null;
  /** Copies of its input that are made on the device and remain where the module is not copied, or not freed, in forward. */
  readonly clones: number;
}
