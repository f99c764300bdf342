import type { MemoryPart } from "../../base/memoryParts.js";
import type { ProfileResult } from "../../profile/result.js";
import type { MemoryCurve, TimelineLane, TimelineSpan } from "../columns/columns.js";

/*
 * A saved profile (`*.offload`), little endian:
 *
 *   bytes 0-7    magic "OFFLENS1"
 *   bytes 8-15   uint64 length of the header in bytes
 *   header       UTF-8 JSON (ContainerHeader), then zero bytes up to the next multiple of 8
 *   body         the columns, each starting at a multiple of 8 relative to the start of the body
 *
 * Every column is named by a ColumnRef; offsets are relative to the start of the body, lengths count elements.
 * The native engine is the only writer.
 */

/** First eight bytes of every saved profile, ASCII. */
export const CONTAINER_MAGIC = "OFFLENS1";

/** Where a column lies and how to read it. */
export interface ColumnRef {
  readonly type: "f64" | "u32" | "i32" | "u8";
  readonly offset: number;
  readonly length: number;
}

/** `timelines[i]` belongs to `result.runs[run]`; a run without one was not recorded. */
export interface ContainerHeader {
  readonly format: "offload-container/1";
  readonly result: ProfileResult;
  readonly timelines: readonly ContainerTimeline[];
}

export interface ContainerTimeline {
  readonly run: number;
  readonly lanes: readonly TimelineLane[];
  readonly strings: readonly string[];
  readonly spans: readonly TimelineSpan[];
  readonly events: {
    readonly startNs: ColumnRef;
    readonly durationNs: ColumnRef;
    readonly lane: ColumnRef;
    readonly name: ColumnRef;
    readonly layer: ColumnRef;
    readonly bytes: ColumnRef;
    readonly kind: ColumnRef;
    readonly dependsOn: ColumnRef;
  };
  readonly memory: readonly {
    readonly of: MemoryCurve["of"];
    readonly device?: number;
    readonly timeNs: ColumnRef;
    readonly bytes: ColumnRef;
    /** Of device memory that our own engine recorded. */
    readonly parts?: {
      readonly names: readonly MemoryPart[];
      readonly startBytes: readonly number[];
      readonly part: ColumnRef;
      readonly partBytes: ColumnRef;
    };
  }[];
}
