import { given } from "../../base/flags.js";
import { fail, type Outcome, type Problem, succeed } from "../../base/outcome.js";
import { parseJsonBytes } from "../../base/utf8.js";
import type { ProfileResult } from "../../profile/result.js";
import type { EventColumns, MemoryCurve, PartColumns, Timeline } from "../columns/columns.js";
import { HIGHEST_KIND } from "../columns/laneWork.js";
import { CONTAINER_MAGIC, type ColumnRef, type ContainerHeader, type ContainerTimeline } from "./container.js";
import { containerHeaderSchema, MOST_NS } from "./containerSchema.js";

/** A saved profile in memory. `timelines[i]` belongs to `result.runs[i]`; null where the run was not recorded. */
export interface SavedProfile {
  readonly result: ProfileResult;
  readonly timelines: readonly (Timeline | null)[];
}

type StoredParts = NonNullable<ContainerTimeline["memory"][number]["parts"]>;

const FIXED_BYTES = 16;
/** Far above any real header (names, not events); bounds what a lying length can make us decode. */
const MAX_HEADER_BYTES = 64 * 1024 * 1024;

/**
 * Reads a saved profile (layout: `container.ts`). The columns are views into `bytes` (into one aligned copy when `bytes`
 * starts at an address that is no multiple of 8), so `bytes` must not change afterwards.
 *
 * Fails with `CONTAINER_FOREIGN` (another kind of file), `CONTAINER_TRUNCATED` (ends before what its header promises) or
 * `CONTAINER_INVALID` (contradicts itself).
 */
export function readContainer(bytes: Uint8Array): Outcome<SavedProfile> {
  const magic = Array.from(CONTAINER_MAGIC, (letter) => letter.charCodeAt(0));
  const known = Math.min(bytes.length, magic.length);
  if (known === 0) return fail(truncated("The file is empty."));
  if (magic.slice(0, known).some((byte, at) => bytes[at] !== byte))
    return fail(foreign("It does not begin with OFFLENS1."));
  if (bytes.length < FIXED_BYTES) return fail(truncated(`It has ${bytes.length} bytes; the fixed part alone has 16.`));

  const aligned = bytes.byteOffset % 8 === 0 ? bytes : new Uint8Array(bytes);
  const header = readHeader(aligned);
  if (!header.ok) return header;
  const bodyStart = FIXED_BYTES + roundUpTo8(header.value.byteLength);
  const body = aligned.subarray(Math.min(bodyStart, aligned.length));
  return readTimelines(header.value.header, body);
}

function readHeader(bytes: Uint8Array): Outcome<{ header: ContainerHeader; byteLength: number }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const promised = view.getBigUint64(8, true);
  if (promised > BigInt(MAX_HEADER_BYTES))
    return fail(invalid(`The header claims ${promised} bytes; the limit is 64 MiB.`));
  const byteLength = Number(promised);
  if (FIXED_BYTES + byteLength > bytes.length)
    return fail(truncated(`The header needs ${byteLength} bytes, ${bytes.length - FIXED_BYTES} are there.`));

  const parsedJson = parseJsonBytes(bytes.subarray(FIXED_BYTES, FIXED_BYTES + byteLength));
  if ("cause" in parsedJson) return fail(invalid(`The header cannot be read. ${parsedJson.cause}`));
  const json = parsedJson.value;
  const format = typeof json === "object" && json !== null && "format" in json ? json.format : undefined;
  if (typeof format === "string" && format !== "offload-container/1")
    return fail(
      foreign(`Its format is ${JSON.stringify(format.slice(0, 60))}; this version reads offload-container/1.`),
    );
  const parsed = containerHeaderSchema.safeParse(json);
  if (parsed.success) return succeed({ header: parsed.data, byteLength });
  const issue = parsed.error.issues[0];
  return fail(invalid(`Header member ${issue?.path.join(".") || "(root)"}: ${issue?.message ?? "unexpected"}.`));
}

function readTimelines(header: ContainerHeader, body: Uint8Array): Outcome<SavedProfile> {
  const timelines: (Timeline | null)[] = header.result.runs.map(() => null);
  for (const stored of header.timelines) {
    if (stored.run >= timelines.length)
      return fail(invalid(`A timeline names run ${stored.run} of ${timelines.length}.`));
    if (timelines[stored.run] !== null) return fail(invalid(`Run ${stored.run} has two timelines.`));
    const timeline = readStoredTimeline(stored, body);
    if (!timeline.ok) return timeline;
    timelines[stored.run] = timeline.value;
  }
  return succeed({ result: header.result, timelines });
}

/** Reads the columns of one stored timeline out of the body of its file; fails like `readContainer`. */
export function readStoredTimeline(stored: ContainerTimeline, body: Uint8Array): Outcome<Timeline> {
  try {
    return succeed(readTimeline(stored, body));
  } catch (reason) {
    if (reason instanceof Refusal) return fail(reason.problem);
    throw reason;
  }
}

/** Carries a problem out of the column readers, where an Outcome at every element would drown the checks. */
class Refusal extends Error {
  constructor(readonly problem: Problem) {
    super(problem.code);
  }
}

function readTimeline(stored: ContainerTimeline, body: Uint8Array): Timeline {
  const events = readEvents(stored, body);
  for (const span of stored.spans) if (span.endNs < span.startNs) refuse(`Span ${span.label} ends before it starts.`);
  const memory = stored.memory.map((curve) => readMemory(curve, body));
  return { lanes: stored.lanes, strings: stored.strings, spans: stored.spans, events, memory };
}

function readEvents(stored: ContainerTimeline, body: Uint8Array): EventColumns {
  const refs = stored.events;
  const events: EventColumns = {
    startNs: floats(refs.startNs, body, "startNs"),
    durationNs: floats(refs.durationNs, body, "durationNs"),
    lane: unsigned(refs.lane, body, "lane"),
    name: unsigned(refs.name, body, "name"),
    layer: signed(refs.layer, body, "layer"),
    bytes: floats(refs.bytes, body, "bytes"),
    kind: octets(refs.kind, body, "kind"),
    dependsOn: signed(refs.dependsOn, body, "dependsOn"),
  };
  const count = events.startNs.length;
  for (const [name, column] of Object.entries(events))
    if (column.length !== count) refuse(`Column ${name} has ${column.length} elements, startNs has ${count}.`);

  requireOrder(events.startNs, "startNs");
  requireEach(events.durationNs, "durationNs", (value) => value >= 0 && value <= MOST_NS);
  requireEach(events.bytes, "bytes", (value) => Number.isNaN(value) || (value >= 0 && value < Infinity));
  requireEach(events.lane, "lane", (value) => value < stored.lanes.length);
  requireEach(events.name, "name", (value) => value < stored.strings.length);
  requireEach(events.layer, "layer", (value) => value >= -1);
  requireEach(events.kind, "kind", (value) => value <= HIGHEST_KIND);
  requireEach(events.dependsOn, "dependsOn", (value) => value >= -1 && value < count);
  return events;
}

function readMemory(stored: ContainerTimeline["memory"][number], body: Uint8Array): MemoryCurve {
  const timeNs = floats(stored.timeNs, body, `${stored.of} memory timeNs`);
  const bytes = floats(stored.bytes, body, `${stored.of} memory bytes`);
  if (timeNs.length !== bytes.length)
    refuse(`The ${stored.of} memory curve has ${timeNs.length} times and ${bytes.length} values.`);
  requireOrder(timeNs, `${stored.of} memory timeNs`);
  requireEach(bytes, `${stored.of} memory bytes`, (value) => value >= 0 && value < Infinity);
  return {
    of: stored.of,
    ...given("device", stored.device),
    timeNs,
    bytes,
    ...given("parts", stored.parts && readParts(stored.parts, bytes.length, body)),
  };
}

function readParts(stored: StoredParts, length: number, body: Uint8Array): PartColumns {
  const { names, startBytes } = stored;
  if (startBytes.length !== names.length)
    refuse(`The memory curve has ${names.length} parts and ${startBytes.length} values at its start.`);
  const part = octets(stored.part, body, "memory part");
  const partBytes = floats(stored.partBytes, body, "memory partBytes");
  if (part.length !== length || partBytes.length !== length)
    refuse(`The memory curve has ${length} values, ${part.length} parts and ${partBytes.length} values of parts.`);
  requireEach(part, "memory part", (value) => value < names.length);
  requireEach(partBytes, "memory partBytes", (value) => value >= 0 && value < Infinity);
  return { names, startBytes, part, partBytes };
}

function requireOrder(column: Float64Array, name: string): void {
  let before = -Infinity;
  for (let at = 0; at < column.length; at++) {
    const value = column[at] ?? Number.NaN;
    // Written so that NaN fails too.
    if (!(value >= before && value <= MOST_NS && value >= -MOST_NS))
      refuse(`Column ${name} is out of order or range at element ${at}.`);
    before = value;
  }
}

function requireEach(column: ArrayLike<number>, name: string, holds: (value: number) => boolean): void {
  for (let at = 0; at < column.length; at++)
    if (!holds(column[at] ?? Number.NaN)) refuse(`Column ${name} holds ${column[at]} at element ${at}, out of range.`);
}

function floats(ref: ColumnRef, body: Uint8Array, name: string): Float64Array {
  return new Float64Array(body.buffer, locate(ref, "f64", 8, body, name), ref.length);
}

function unsigned(ref: ColumnRef, body: Uint8Array, name: string): Uint32Array {
  return new Uint32Array(body.buffer, locate(ref, "u32", 4, body, name), ref.length);
}

function signed(ref: ColumnRef, body: Uint8Array, name: string): Int32Array {
  return new Int32Array(body.buffer, locate(ref, "i32", 4, body, name), ref.length);
}

function octets(ref: ColumnRef, body: Uint8Array, name: string): Uint8Array {
  return new Uint8Array(body.buffer, locate(ref, "u8", 1, body, name), ref.length);
}

/** Byte offset of a column in the body's buffer, after checking type, alignment and range. An empty column lies at 0. */
function locate(ref: ColumnRef, type: ColumnRef["type"], width: number, body: Uint8Array, name: string): number {
  if (ref.type !== type) refuse(`Column ${name} has type ${ref.type}, expected ${type}.`);
  if (ref.length === 0) return 0;
  if (ref.offset % 8 !== 0) refuse(`Column ${name} starts at ${ref.offset}, no multiple of 8.`);
  const end = ref.offset + ref.length * width;
  if (end > body.length)
    throw new Refusal(truncated(`Column ${name} ends at byte ${end} of the body, which has ${body.length}.`));
  return body.byteOffset + ref.offset;
}

function roundUpTo8(byteLength: number): number {
  return Math.ceil(byteLength / 8) * 8;
}

function refuse(cause: string): never {
  throw new Refusal(invalid(cause));
}

function truncated(cause: string): Problem {
  return {
    code: "CONTAINER_TRUNCATED",
    message: "The saved profile is cut off.",
    cause,
    nextStep: "Copy the file again, or run the profile again.",
  };
}

function foreign(cause: string): Problem {
  return {
    code: "CONTAINER_FOREIGN",
    message: "This is not a saved profile that this version can read.",
    cause,
    nextStep:
      "Open a file written by “Profile Offload” or by `offload-lens profile --out`, with a version at least as new.",
  };
}

function invalid(cause: string): Problem {
  return {
    code: "CONTAINER_INVALID",
    message: "The saved profile contradicts itself.",
    cause,
    nextStep: "Run the profile again; if the new file fails too, report it with this message.",
  };
}
