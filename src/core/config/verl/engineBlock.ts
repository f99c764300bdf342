import type { MappingNode } from "../document/configNode.js";
import type { TextSpan } from "../document/diagnostic.js";
import type { FieldTable } from "./fields/fieldSpec.js";

/** Whose policy the block configures; the reference policy never runs backward. */
export type EngineRole = "actor" | "ref" | "critic" | "sft" | "unknown";

/** One mapping that verl turns into a `VeOmniEngineConfig`. */
export interface EngineBlock {
  /** Dotted path in the file, `""` for a file that is the block. */
  readonly path: string;
  readonly role: EngineRole;
  readonly mapping: MappingNode;
  /** The key and the mapping; the mapping alone where the file is the block. */
  readonly span: TextSpan;
  /** The mapping that holds the block, e.g. `actor_rollout_ref.actor`. */
  readonly parent?: MappingNode;
  /** The `model` mapping that the block's role uses, with its dotted path. */
  readonly model?: { readonly path: string; readonly mapping: MappingNode };
  /** The table of the block's keys; absent: the engine's. */
  readonly table?: FieldTable;
}
