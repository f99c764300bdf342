import { FlowKind, type Timeline } from "../columns/columns.js";
import { EventKind } from "../columns/eventKind.js";
import { isCopy } from "../columns/laneWork.js";
import { copyKind } from "../import/chrome/category.js";
import { streamNumbers } from "../metrics/overlaps.js";

/** What every export begins with, and no other program's trace. */
export const CHROME_JSON_START = '{"producer":"offload-lens",';

/** Elements are joined into pieces of about this many characters: one write per event would be slow. */
const PIECE_LENGTH = 2 ** 18;
const FLOW_SHIFT = 2 ** 32;

/**
 * A timeline as Chrome trace events in Kineto's dialect, in pieces of text: Perfetto opens it, and importing it again gives the
 * same metrics. Times are microseconds with three decimals, relative to the origin.
 */
export function* chromeJson(timeline: Timeline): Generator<string> {
  let piece = `${header(timeline)}"traceEvents":[\n`;
  let isFirst = true;
  for (const element of elements(timeline)) {
    piece += isFirst ? element : `,\n${element}`;
    isFirst = false;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}\n]}\n`;
}

function header({ devices, rank, originUnixNs }: Timeline): string {
  const properties = (devices ?? []).map(({ device, name }) => ({ id: device, name }));
  const distributed = rank === null || rank === undefined ? "" : `"distributedInfo":${JSON.stringify({ rank })},`;
  const base = originUnixNs === undefined ? "" : `"baseTimeNanoseconds":${originUnixNs},`;
  return `${CHROME_JSON_START}"schemaVersion":1,"deviceProperties":${JSON.stringify(properties)},${distributed}"displayTimeUnit":"ms",${base}`;
}

/** Process and thread as they stand in the file: JSON numbers or texts. */
interface Place {
  readonly pid: string;
  readonly tid: string;
}

const NOWHERE: Place = { pid: "0", tid: "0" };

function* elements(timeline: Timeline): Generator<string> {
  const places = placesOf(timeline);
  const names = timeline.strings.map((name) => JSON.stringify(name));
  yield* threadNames(timeline, places);
  for (let at = 0; at < timeline.events.startNs.length; at++) yield eventElement(timeline, places, names, at);
  yield* flowElements(timeline, places);
  yield* memoryElements(timeline);
}

function placesOf({ lanes }: Timeline): Place[] {
  const streams = streamNumbers(lanes.map((lane) => ({ ...lane, stream: baseName(lane.stream) })));
  return lanes.map(({ device, process, role, stream }, at) => {
    const tid = String((streams[at] ?? 0) + 1);
    if (device !== undefined || role !== "host") return { pid: String(device ?? 0), tid };
    const { number } = splitProcess(process);
    if (number !== undefined) return { pid: String(number), tid };
    // Without a number the names themselves are the ids.
    return { pid: JSON.stringify(process ?? "host"), tid: JSON.stringify(baseName(stream)) };
  });
}

/** `python3 (process 531)` is the process `python3` with the number 531; `process −1` has no name. */
function splitProcess(process: string | undefined): { readonly name: string; readonly number: number | undefined } {
  const parts = /^(?:(.*) \()?process (\u2212?)(\d{1,9})\)?$/.exec(process ?? "");
  if (parts === null) return { name: process ?? "", number: undefined };
  const number = Number(parts[3]);
  return { name: parts[1] ?? "", number: parts[2] === "" ? number : -number };
}

/** Lanes that an import splits off a stream or thread are one with it again. */
function baseName(stream: string): string {
  return stream.replace(/ (ranges|waits|async)$/, "");
}

function* threadNames({ lanes }: Timeline, places: readonly Place[]): Generator<string> {
  const seen = new Set<string>();
  for (const [at, lane] of lanes.entries()) {
    const { pid, tid } = places[at] ?? NOWHERE;
    // A text says itself what it is called.
    if (pid.startsWith('"')) continue;
    const isHost = lane.device === undefined && lane.role === "host";
    const process = isHost ? splitProcess(lane.process).name : "";
    const label = isHost ? "CPU" : (lane.process ?? `GPU ${pid}`);
    const named = [
      ...(process === "" ? [] : [metadata("process_name", pid, "0", { name: process })]),
      metadata("process_labels", pid, "0", { labels: label }),
      metadata("thread_name", pid, tid, { name: baseName(lane.stream) }),
    ];
    for (const element of named) {
      if (seen.has(element)) continue;
      seen.add(element);
      yield element;
    }
  }
}

function metadata(name: string, pid: string, tid: string, args: object): string {
  return `{"ph":"M","name":"${name}","pid":${pid},"tid":${tid},"ts":0,"args":${JSON.stringify(args)}}`;
}

function eventElement(timeline: Timeline, places: readonly Place[], names: readonly string[], at: number): string {
  const { events, lanes, strings } = timeline;
  const laneNumber = events.lane[at] ?? 0;
  const lane = lanes[laneNumber];
  const { pid, tid } = places[laneNumber] ?? NOWHERE;
  const kind = events.kind[at] ?? EventKind.other;
  const name = events.name[at] ?? 0;
  const isHost = lane?.device === undefined && lane?.role === "host";
  const category = categoryOf(kind, isHost, lane?.role === "d2d");
  const bytes = events.bytes[at] ?? 0;
  const correlation = events.correlation?.[at] ?? 0;
  const layer = events.layer[at] ?? -1;
  const args = [
    isHost ? "" : `"device":${pid}`,
    correlation === 0 ? "" : `"correlation":${correlation}`,
    // A copy of no bytes says so: without, its size would not be known.
    Number.isNaN(bytes) || (bytes === 0 && !isCopy(events.kind[at] ?? EventKind.other))
      ? ""
      : `"bytes":${bounded(bytes)}`,
    layer < 0 ? "" : `"layer":${layer}`,
  ].filter((part) => part !== "");
  const tail = args.length === 0 ? "" : `,"args":{${args.join(",")}}`;
  const startNs = events.startNs[at] ?? 0;
  // A virtual clock has fractions: starts and ends are rounded alike, so that nothing overlaps that only touched.
  const durationNs = Math.round(startNs + (events.durationNs[at] ?? 0)) - Math.round(startNs);
  const shownName = category === "gpu_memcpy" ? copyName(strings[name] ?? "", kind) : (names[name] ?? '""');
  return `{"ph":"X","cat":"${category}","name":${shownName},"pid":${pid},"tid":${tid},"ts":${microseconds(startNs)},"dur":${microseconds(durationNs)}${tail}}`;
}

function categoryOf(kind: number, isHost: boolean, isCopyLane: boolean): string {
  switch (kind) {
    case EventKind.kernel:
    case EventKind.collective:
      return "kernel";
    case EventKind.memset:
      return "gpu_memset";
    case EventKind.copyD2H:
    case EventKind.copyH2D:
    case EventKind.copyD2D:
      return "gpu_memcpy";
    case EventKind.streamWait:
      return "cuda_sync";
    case EventKind.hostWait:
    case EventKind.pinnedAllocation:
    case EventKind.runtimeCall:
      return "cuda_runtime";
    case EventKind.operator:
      return "cpu_op";
    case EventKind.pythonFrame:
      return "python_function";
    case EventKind.annotation:
      return isHost ? "user_annotation" : "gpu_user_annotation";
    case EventKind.doubtful:
      return "other";
    default:
      return isCopyLane ? "gpu_memcpy" : "other";
  }
}

const DIRECTIONS: Readonly<Record<number, string>> = {
  [EventKind.copyD2H]: "DtoH",
  [EventKind.copyH2D]: "HtoD",
  [EventKind.copyD2D]: "DtoD",
};

/** The direction of a copy is read from its name: our own recorder names copies after what they carry. */
function copyName(name: string, kind: number): string {
  const direction = DIRECTIONS[kind];
  return JSON.stringify(direction === undefined || copyKind(name) === kind ? name : `Memcpy ${direction}: ${name}`);
}

function* flowElements({ flows, events }: Timeline, places: readonly Place[]): Generator<string> {
  if (flows === undefined) return;
  for (let at = 0; at < flows.from.length; at++) {
    const kind = flows.kind[at] ?? FlowKind.other;
    const category = kind === FlowKind.launch ? "ac2g" : kind === FlowKind.forwardBackward ? "fwdbwd" : "flow";
    const to = flows.to[at] ?? 0;
    // Launches keep their correlation id; other arrows get ids that no correlation has.
    const id = kind === FlowKind.launch ? (events.correlation?.[to] ?? 0) : FLOW_SHIFT + at;
    yield flowEnd("s", category, id, flows.from[at] ?? 0, events, places);
    yield flowEnd("f", category, id, to, events, places);
  }
}

function flowEnd(
  phase: string,
  category: string,
  id: number,
  event: number,
  events: Timeline["events"],
  places: readonly Place[],
): string {
  const { pid, tid } = places[events.lane[event] ?? 0] ?? NOWHERE;
  const binding = phase === "f" ? ',"bp":"e"' : "";
  return `{"ph":"${phase}","cat":"${category}","name":"${category}","id":${id},"pid":${pid},"tid":${tid},"ts":${microseconds(events.startNs[event] ?? 0)}${binding}}`;
}

function* memoryElements({ memory }: Timeline): Generator<string> {
  for (const curve of memory) {
    // No framework writes pinned memory into a trace.
    if (curve.of === "pinned") continue;
    const place =
      curve.of === "host" ? '"Device Id":-1,"Device Type":0' : `"Device Id":${curve.device ?? 0},"Device Type":1`;
    for (let at = 0; at < curve.timeNs.length; at++)
      yield `{"ph":"i","cat":"cpu_instant_event","s":"t","name":"[memory]","pid":0,"tid":0,"ts":${microseconds(curve.timeNs[at] ?? 0)},"args":{"Total Allocated":${bounded(curve.bytes[at] ?? 0)},${place}}}`;
  }
}

/** No number that a reader lets in is larger; larger ones would get an exponent, or be no JSON. */
const MOST = Number.MAX_SAFE_INTEGER;

/** Exact: the nanoseconds are the three decimals. */
function microseconds(ns: number): string {
  const rounded = Math.round(bounded(ns));
  const whole = Math.floor(Math.abs(rounded) / 1000);
  const rest = Math.abs(rounded) - whole * 1000;
  return `${rounded < 0 ? "-" : ""}${whole}.${String(rest).padStart(3, "0")}`;
}

function bounded(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(MOST, Math.max(-MOST, value));
}
