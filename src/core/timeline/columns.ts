/**
 * One timeline as columns. Times are nanoseconds relative to `originNs` of the timeline; a double holds them exactly.
 * All event columns have the same length, sorted by start (ties: longer first).
 */
export interface Timeline {
  readonly lanes: readonly TimelineLane[];
  /** Strings that `name` indexes. */
  readonly strings: readonly string[];
  readonly events: EventColumns;
  readonly memory: readonly MemoryCurve[];
  /** Step boundaries and phases, for the ruler: `[startNs, endNs)`. */
  readonly spans: readonly TimelineSpan[];
}

/** What a lane shows. Rows are drawn in this order. */
export type LaneRole = "compute" | "d2h" | "h2d" | "collective" | "host";

/** Several lanes can share a role (streams); `stream` is the stream's own name. */
export interface TimelineLane {
  readonly role: LaneRole;
  readonly stream: string;
}

export interface EventColumns {
  readonly startNs: Float64Array;
  readonly durationNs: Float64Array;
  /** Index into `lanes`. */
  readonly lane: Uint32Array;
  /** Index into `strings`. */
  readonly name: Uint32Array;
  /** Layer number, -1 where the event belongs to none. */
  readonly layer: Int32Array;
  /** Bytes moved or allocated, 0 where meaningless. */
  readonly bytes: Float64Array;
  /** One of `EventKind`. */
  readonly kind: Uint8Array;
  /** Index of an event that this one had to wait for, -1 for none. */
  readonly dependsOn: Int32Array;
}

/** Values of `EventColumns.kind`; the native recorder writes the same numbers. */
export const EventKind = {
  kernel: 0,
  memset: 1,
  copyD2H: 2,
  copyH2D: 3,
  copyD2D: 4,
  collective: 5,
  /** The host stood still until a device event. */
  hostWait: 6,
  /** A stream stood still until an event of another stream. */
  streamWait: 7,
  /** The host called the pinned allocator below the pool. */
  pinnedAllocation: 8,
  other: 9,
} as const;

export type EventKindValue = (typeof EventKind)[keyof typeof EventKind];

/** Live bytes after each change, as steps: value `bytes[i]` holds from `timeNs[i]` to `timeNs[i + 1]`. */
export interface MemoryCurve {
  readonly of: "device" | "pinned";
  readonly timeNs: Float64Array;
  readonly bytes: Float64Array;
}

export interface TimelineSpan {
  readonly kind: "step" | "forward" | "backward";
  readonly label: string;
  readonly startNs: number;
  readonly endNs: number;
}
