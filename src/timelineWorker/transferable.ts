import type { Outcome } from "../core/outcome.js";
import type { Answer } from "../core/timeline/protocol.js";

/** The buffers of an answer that were made for it and may leave the thread: those of a view. */
export function transferable(outcome: Outcome<Answer>): ArrayBuffer[] {
  if (!outcome.ok || !("rows" in outcome.value)) return [];
  const buffers = new Set<ArrayBuffer>();
  for (const part of [...outcome.value.rows, ...outcome.value.memory])
    for (const column of Object.values(part))
      if (ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer) buffers.add(column.buffer);
  return [...buffers];
}
