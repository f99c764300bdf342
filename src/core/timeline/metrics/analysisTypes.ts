import type { TimelineMetrics } from "./metrics.js";

/* Results of the analyses of a timeline: the metrics and what the panel shows beside them. All times in ns. */

/** Idle time of a device, split by cause; the parts sum up to `idleNs`. */
export interface IdleSplit {
  readonly idleNs: number;
  /** The work that ended the gap was launched only after the gap had begun: the host was late. */
  readonly hostLateNs: number;
  /** The gap lasted until the host had waited for a copy, or lies between copies that compute waited for. */
  readonly copyWaitNs: number;
  /** The gap ended with the end of a collective, or the host waited for one. */
  readonly collectiveWaitNs: number;
  readonly otherNs: number;
}

/** What limits the copies of a step, with the arithmetic in `reasoning`. */
export interface BoundVerdict {
  readonly kind: "copy-bound" | "compute-bound" | "host-bound" | "collective-bound" | "no-copies";
  readonly title: string;
  /** One sentence per step of the reasoning, with the numbers. */
  readonly reasoning: readonly string[];
}

/** One layer over the whole timeline; -1 gathers what belongs to none. */
export interface LayerCost {
  readonly layer: number;
  readonly name: string;
  readonly computeNs: number;
  readonly d2hCount: number;
  /** Of the copies whose size is known; null where there are copies and of none it is. */
  readonly d2hBytes: number | null;
  readonly d2hBusyNs: number;
  readonly d2hExposedNs: number;
  readonly h2dCount: number;
  readonly h2dBytes: number | null;
  readonly h2dBusyNs: number;
  readonly h2dExposedNs: number;
}

/** Bandwidths of single copies in 10^9 bytes per second; copies below 64 KiB are left out: they measure latency. */
export interface BandwidthSpread {
  readonly count: number;
  readonly minGBps: number;
  readonly p10GBps: number;
  readonly medianGBps: number;
  readonly p90GBps: number;
  readonly maxGBps: number;
}

export interface TimelineAnalysis {
  readonly metrics: TimelineMetrics;
  readonly idle: IdleSplit;
  readonly verdict: BoundVerdict;
  readonly layers: readonly LayerCost[];
  /** null where no copy is large enough. */
  readonly bandwidth: { readonly d2h: BandwidthSpread | null; readonly h2d: BandwidthSpread | null };
}
