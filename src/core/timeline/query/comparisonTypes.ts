import type { MarginSource, Trend } from "../../base/noise.js";

/* The result of comparing two timelines, A (before) and B (after). Differences are B − A. */

export interface TimelineComparison {
  readonly a: string;
  readonly b: string;
  /** Steps that both have and that were compared; 1 where the whole recordings were. */
  readonly steps: number;
  /** Whether both have marked steps; else the whole recordings were compared. */
  readonly hasSteps: boolean;
  readonly metrics: readonly ComparedValue[];
  /** Busy time per role. */
  readonly lanes: readonly ComparedValue[];
  /** Compute time and exposed copy time per layer, in order of the layers. */
  readonly layers: readonly ComparedLayer[];
  /** One sentence: what changed, and whether the difference is larger than the noise. */
  readonly verdict: { readonly kind: "faster" | "slower" | "same" | "unclear"; readonly text: string };
}

export interface ComparedValue {
  readonly id: string;
  readonly label: string;
  readonly unit: "ns" | "bytes" | "count";
  /** Medians over the steps; null where it was not recorded, such as the bytes of copies that have no size. */
  readonly a: number | null;
  readonly b: number | null;
  readonly difference: number | null;
  /** `unclear`: the difference is not larger than its margin. null where neither is better. */
  readonly trend: Trend | null;
  /** Half the width of the margin around the difference; null where nothing is known, such as with less than three steps on a side. */
  readonly noise: number | null;
  readonly marginSource: MarginSource;
}

export interface ComparedLayer {
  readonly layer: number;
  readonly name: string;
  readonly computeNs: { readonly a: number; readonly b: number };
  readonly exposedNs: { readonly a: number; readonly b: number };
}
