import type { WorkloadKeys } from "../document/workloadKeys.js";
import type { EngineRole } from "./engineBlock.js";

/** Which engine trains. FSDP1 and FSDP2 share their keys. */
export type VerlEngine = "veomni" | "fsdp" | "fsdp2";

/** Where the keys of one role stand. */
export interface VerlPlaces {
  readonly role: EngineRole;
  readonly engine: VerlEngine;
  /** e.g. `actor_rollout_ref.actor`; "" for a file of that role, and for the SFT trainer. */
  readonly rolePath: string;
  /** The engine's own block below it. */
  readonly blockPath: string;
  readonly modelPath: string;
}

/** The keys of one role, of its engine's block and of its model. */
export class RoleKeys {
  constructor(
    readonly keys: WorkloadKeys,
    readonly places: VerlPlaces,
  ) {}

  role(key: string): string {
    return below(this.places.rolePath, key);
  }

  block(key: string): string {
    return below(this.places.blockPath, key);
  }

  model(key: string): string {
    return below(this.places.modelPath, key);
  }

  get isSft(): boolean {
    return this.places.role === "sft";
  }

  get isVeomni(): boolean {
    return this.places.engine === "veomni";
  }
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
