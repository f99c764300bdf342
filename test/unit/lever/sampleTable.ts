import type { Lever, LeverTable } from "../../../src/core/lever/leverTable.js";

const GIB = 1024 ** 3;

export function lever(given: Partial<Lever> = {}): Lever {
  return {
    key: "actor_rollout_ref.actor.veomni.entropy_from_logits_with_chunking",
    value: true,
    peakBytesAfter: 22.5 * GIB,
    phaseAfter: "headForward",
    stepMsAfter: 1013,
    stepTrend: "unclear",
    ranksAfter: 8,
    edit: { span: { start: 0, end: 0 }, newText: "" },
    ...given,
  };
}

/** A table of the recorded entropy on 0.6B. */
export function leverTable(given: Partial<LeverTable> = {}): LeverTable {
  return {
    deviceName: "H200",
    peakBytes: 34 * GIB,
    phase: "headBackward",
    stepMs: 1000,
    ranks: 8,
    stackOnly: undefined,
    unsure: undefined,
    levers: [lever()],
    others: [],
    withoutEffect: [],
    findings: [],
    ...given,
  };
}
