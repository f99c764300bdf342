import { given } from "../../base/flags.js";
import type { LayerSource, Timeline, TimelineDevice } from "../columns/columns.js";
import type { ImportReport } from "../columns/importReport.js";
import type { ColumnRef, ContainerTimeline } from "./container.js";

/** Present in Node, in browsers and in the editor, but in no library that TypeScript loads for core. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/*
 * Saved traces (`*.offload` too): laid out like a saved profile (container.ts), with another magic and another
 * header. Opening one costs no import.
 */

export const TRACE_CONTAINER_MAGIC = "OFFLTRC1";

export interface TraceContainerHeader {
  readonly format: "offload-traces/1";
  readonly traces: readonly StoredTrace[];
}

export interface StoredTrace {
  readonly fileName: string;
  readonly report: ImportReport;
  readonly timeline: ContainerTimeline;
  readonly correlation: ColumnRef | null;
  readonly flows: { readonly from: ColumnRef; readonly to: ColumnRef; readonly kind: ColumnRef } | null;
  readonly devices: readonly TimelineDevice[];
  readonly rank: number | null;
  readonly layerSource: LayerSource | null;
  readonly layerNames: readonly string[];
  /** Decimal digits: JSON numbers cannot hold it. */
  readonly originUnixNs: string | null;
}

/** A trace with what it is called. */
export interface NamedTrace {
  readonly fileName: string;
  readonly report: ImportReport;
  readonly timeline: Timeline;
}

type Column = Float64Array | Uint32Array | Int32Array | Uint8Array;

/** The bytes of a file of saved traces, in pieces: header first, then the columns as they lie in memory. */
export function* traceContainer(traces: readonly NamedTrace[]): Generator<Uint8Array> {
  const body = new Body();
  const header: TraceContainerHeader = {
    format: "offload-traces/1",
    traces: traces.map((trace, at) => storeTrace(trace, at, body)),
  };
  const json = new TextEncoder().encode(JSON.stringify(header));
  const fixed = new Uint8Array(16);
  for (let at = 0; at < 8; at++) fixed[at] = TRACE_CONTAINER_MAGIC.charCodeAt(at);
  new DataView(fixed.buffer).setBigUint64(8, BigInt(json.length), true);
  yield fixed;
  yield json;
  yield padding(json.length);
  for (const column of body.columns) {
    yield new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    yield padding(column.byteLength);
  }
}

class Body {
  readonly columns: Column[] = [];
  private byteLength = 0;

  add(column: Column): ColumnRef {
    const offset = this.byteLength;
    this.columns.push(column);
    this.byteLength += column.byteLength + padding(column.byteLength).length;
    return { type: typeOf(column), offset, length: column.length };
  }
}

function storeTrace({ fileName, report, timeline }: NamedTrace, run: number, body: Body): StoredTrace {
  const { events, flows } = timeline;
  return {
    fileName,
    report,
    timeline: {
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
      memory: timeline.memory.map(({ timeNs, bytes, parts, ...curve }) => ({
        ...curve,
        timeNs: body.add(timeNs),
        bytes: body.add(bytes),
        ...given("parts", parts && { ...parts, part: body.add(parts.part), partBytes: body.add(parts.partBytes) }),
      })),
    },
    correlation: events.correlation === undefined ? null : body.add(events.correlation),
    flows:
      flows === undefined ? null : { from: body.add(flows.from), to: body.add(flows.to), kind: body.add(flows.kind) },
    devices: timeline.devices ?? [],
    rank: timeline.rank ?? null,
    layerSource: timeline.layerSource ?? null,
    layerNames: timeline.layerNames ?? [],
    originUnixNs: timeline.originUnixNs?.toString() ?? null,
  };
}

function typeOf(column: Column): ColumnRef["type"] {
  if (column instanceof Float64Array) return "f64";
  if (column instanceof Uint32Array) return "u32";
  return column instanceof Int32Array ? "i32" : "u8";
}

function padding(byteLength: number): Uint8Array {
  return new Uint8Array((8 - (byteLength % 8)) % 8);
}
