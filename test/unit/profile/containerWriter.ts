import type { ProfileResult } from "../../../src/core/profile/result.js";
import type { Timeline } from "../../../src/core/timeline/columns/columns.js";
import type { ColumnRef, ContainerHeader, ContainerTimeline } from "../../../src/core/timeline/container/container.js";

type Column = Float64Array | Uint32Array | Int32Array | Uint8Array;

/**
 * Writes a saved profile as the native engine does (layout: src/core/timeline/container/container.ts). `change` may corrupt the header
 * before it is written; samples of hostile files come from it.
 */
export function writeContainer(
  result: ProfileResult,
  timelines: readonly { readonly run: number; readonly timeline: Timeline }[],
  change: (header: ContainerHeader) => unknown = (header) => header,
): Uint8Array<ArrayBuffer> {
  const body = new BodyWriter();
  const stored = timelines.map(({ run, timeline }) => storeTimeline(run, timeline, body));
  const header = change({ format: "offload-container/1", result, timelines: stored });
  return assemble(new TextEncoder().encode(JSON.stringify(header)), body);
}

/** A file with any text where the header's JSON belongs and an empty body. */
export function writeRawContainer(header: string): Uint8Array<ArrayBuffer> {
  return assemble(new TextEncoder().encode(header), new BodyWriter());
}

function assemble(json: Uint8Array, body: BodyWriter): Uint8Array<ArrayBuffer> {
  const bodyStart = 16 + Math.ceil(json.length / 8) * 8;
  const bytes = new Uint8Array(bodyStart + body.byteLength);
  bytes.set(new TextEncoder().encode("OFFLENS1"));
  new DataView(bytes.buffer).setBigUint64(8, BigInt(json.length), true);
  bytes.set(json, 16);
  body.writeTo(bytes.subarray(bodyStart));
  return bytes;
}

class BodyWriter {
  byteLength = 0;
  private readonly columns: { offset: number; bytes: Uint8Array }[] = [];

  add(column: Column): ColumnRef {
    const type =
      column instanceof Float64Array
        ? "f64"
        : column instanceof Uint32Array
          ? "u32"
          : column instanceof Int32Array
            ? "i32"
            : "u8";
    const offset = this.byteLength;
    this.columns.push({ offset, bytes: new Uint8Array(column.buffer, column.byteOffset, column.byteLength) });
    this.byteLength += Math.ceil(column.byteLength / 8) * 8;
    return { type, offset, length: column.length };
  }

  writeTo(body: Uint8Array): void {
    for (const column of this.columns) body.set(column.bytes, column.offset);
  }
}

function storeTimeline(run: number, timeline: Timeline, body: BodyWriter): ContainerTimeline {
  const { events } = timeline;
  return {
    run,
    lanes: timeline.lanes,
    strings: timeline.strings,
    spans: timeline.spans,
    events: {
      startNs: body.add(events.startNs),
      durationNs: body.add(events.durationNs),
      lane: body.add(events.lane),
      name: body.add(events.name),
      layer: body.add(events.layer),
      bytes: body.add(events.bytes),
      kind: body.add(events.kind),
      dependsOn: body.add(events.dependsOn),
    },
    memory: timeline.memory.map((curve) => ({
      of: curve.of,
      timeNs: body.add(curve.timeNs),
      bytes: body.add(curve.bytes),
    })),
  };
}
