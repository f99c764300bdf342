import type { Finding } from "../query/finding.js";
import type { IndexedTimeline } from "../query/indexedTimeline.js";
import { findBrokenDependencies } from "./brokenDependencies.js";
import { findDamage } from "./damagedRecording.js";
import { findOffloadOrder } from "./offloadOrder.js";
import { findPinnedAllocations } from "./pinnedAllocations.js";
import { findRecordingGaps } from "./recordingGaps.js";
import { findSlowCopies } from "./slowCopies.js";
import { findStreamOverlap } from "./streamOverlap.js";
import { findUndirectedCopies } from "./undirectedCopies.js";
import { findUnsizedCopies } from "./unsizedCopies.js";
import { findWaits } from "./waits.js";

const RULES: readonly ((indexed: IndexedTimeline) => readonly Finding[])[] = [
  findDamage,
  findOffloadOrder,
  findBrokenDependencies,
  findStreamOverlap,
  findSlowCopies,
  findPinnedAllocations,
  findWaits,
  findRecordingGaps,
  findUnsizedCopies,
  findUndirectedCopies,
];

const SEVERITIES: readonly Finding["severity"][] = ["error", "warning", "information"];

/** All findings of a timeline: what cannot be right first, then by the time that it costs. */
export function findFindings(indexed: IndexedTimeline): Finding[] {
  const steps = findingSteps(indexed);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

/** The same, one rule at a time: whoever has to answer other questions meanwhile stops in between. */
export function* findingSteps(indexed: IndexedTimeline): Generator<void, Finding[]> {
  const found: Finding[] = [];
  for (const rule of RULES) {
    for (const finding of rule(indexed)) found.push(finding);
    yield;
  }
  const rank = (finding: Finding) => SEVERITIES.indexOf(finding.severity);
  return found.sort((a, b) => rank(a) - rank(b) || (b.costNs ?? 0) - (a.costNs ?? 0));
}
