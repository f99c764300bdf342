import type { Finding } from "./finding.js";
import type { IndexedTimeline } from "./indexedTimeline.js";

/** All findings of a timeline: validity first, then by cost. */
export function findFindings(_indexed: IndexedTimeline): Finding[] {
  return [];
}
