import type { MemoryPart } from "../../base/memoryParts.js";
import type { LaneRole } from "./laneRoles.js";

/**
 * One timeline as columns. Times are nanoseconds relative to the timeline's own origin; a double holds them exactly.
 * All event columns have the same length, sorted by start (ties: longer first). Optional members are there where a trace
 * knows them; a profile of our own engine has none of them.
 */
export interface Timeline {
  readonly lanes: readonly TimelineLane[];
  /** Strings that `name` indexes. */
  readonly strings: readonly string[];
  readonly events: EventColumns;
  readonly memory: readonly MemoryCurve[];
  /** Step boundaries and phases, for the ruler: `[startNs, endNs)`. */
  readonly spans: readonly TimelineSpan[];
  /** Arrows between events. */
  readonly flows?: FlowColumns;
  /** Devices that the events ran on, ascending by number. */
  readonly devices?: readonly TimelineDevice[];
  /** Rank of the process in a distributed job; null where the trace does not say. */
  readonly rank?: number | null;
  /** Where `layer` comes from; null where no layer was recognised. Absent: the recorder wrote it. */
  readonly layerSource?: LayerSource | null;
  /** Names of the layers by number, where the trace says more than the number (`model.layers.3`). */
  readonly layerNames?: readonly string[];
  /** Unix time of the origin in nanoseconds, to align the files of several ranks; absent where unknown. */
  readonly originUnixNs?: bigint;
}

/**
 * Several lanes can share a role (streams); `stream` is the stream's own name, for a host lane that of the thread.
 * A stream of a trace that carried work of several roles is one lane per role, all with the same `stream`.
 */
export interface TimelineLane {
  readonly role: LaneRole;
  readonly stream: string;
  /** Number of the device; absent on host lanes and where only one device is meant. */
  readonly device?: number;
  /** What the trace calls the process: `python3 (531)`. */
  readonly process?: string;
}

export interface TimelineDevice {
  readonly device: number;
  /** `NVIDIA H200`; empty where unknown. */
  readonly name: string;
}

/** How the layers of a trace were found. */
export type LayerSource = "annotation" | "periodicity";

/** Arrows between events: parallel columns, sorted by `from`, then `to`. */
export interface FlowColumns {
  /** Index of the event at which an arrow starts. */
  readonly from: Uint32Array;
  /** Index of the event at which it ends. */
  readonly to: Uint32Array;
  /** One of `FlowKind`. */
  readonly kind: Uint8Array;
}

/** Values of `FlowColumns.kind`. */
export const FlowKind = {
  /** A call of the host and the device work that it started. */
  launch: 0,
  /** An operator of the forward pass and its counterpart in backward. */
  forwardBackward: 1,
  other: 2,
} as const;

export type FlowKindValue = (typeof FlowKind)[keyof typeof FlowKind];

export interface EventColumns {
  readonly startNs: Float64Array;
  readonly durationNs: Float64Array;
  /** Index into `lanes`. */
  readonly lane: Uint32Array;
  /** Index into `strings`. */
  readonly name: Uint32Array;
  /** Layer number, -1 where the event belongs to none. */
  readonly layer: Int32Array;
  /** Bytes moved or allocated; 0 where meaningless, NaN for a copy whose size was not recorded. */
  readonly bytes: Float64Array;
  /** One of `EventKind`. */
  readonly kind: Uint8Array;
  /** Index of an event that this one had to wait for, -1 for none. */
  readonly dependsOn: Int32Array;
  /** Correlation id of a launch and what it started, 0 for none. */
  readonly correlation?: Uint32Array;
}

/**
 * `device`: live tensors on a device; `pinned`: page-locked memory of the host; `host`: tensors in the host's ordinary memory,
 * as the framework's own allocator reports them.
 */
export type MemoryOf = "device" | "pinned" | "host";

/** Live bytes after each change, as steps: value `bytes[i]` holds from `timeNs[i]` to `timeNs[i + 1]`. */
export interface MemoryCurve {
  readonly of: MemoryOf;
  /** Absent where only one device is meant. */
  readonly device?: number;
  readonly timeNs: Float64Array;
  readonly bytes: Float64Array;
  /** What the bytes are for; absent where nobody recorded it. */
  readonly parts?: PartColumns;
}

/**
 * Which part each change of a curve concerned: after change `i`, part `names[part[i]]` holds `partBytes[i]` bytes. Before the first
 * change it holds `startBytes`. Where bytes move from one part to another, two changes follow each other with the same sum, and the
 * parts add up to it after the second.
 */
export interface PartColumns {
  readonly names: readonly MemoryPart[];
  readonly startBytes: readonly number[];
  readonly part: Uint8Array;
  readonly partBytes: Float64Array;
}

export interface TimelineSpan {
  readonly kind: "step" | "forward" | "backward" | "optimizer";
  readonly label: string;
  readonly startNs: number;
  readonly endNs: number;
}
