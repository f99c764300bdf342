import { z } from "zod";
import { fail, type Outcome, type Problem, succeed } from "../../base/outcome.js";
import { parseJsonBytes } from "../../base/utf8.js";
import type { FlowColumns, Timeline } from "../columns/columns.js";
import type { ColumnRef } from "./container.js";
import { columnRefSchema, storedTimelineSchema } from "./containerSchema.js";
import { readStoredTimeline } from "./readContainer.js";
import type { NamedTrace, StoredTrace } from "./traceContainer.js";

const FIXED_BYTES = 16;
/** Above what the texts of an import (24 MiB of names, 4,096 lanes) become as JSON. */
const MAX_HEADER_BYTES = 256 * 1024 * 1024;

const count = z.number().int().nonnegative();
const text = z.string().max(65_536);

const header: z.ZodType<{ readonly format: "offload-traces/1"; readonly traces: readonly StoredTrace[] }> = z.object({
  format: z.literal("offload-traces/1"),
  traces: z
    .array(
      z.object({
        fileName: text,
        report: z.object({
          format: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
          total: count,
          kept: count,
          repaired: count,
          overlapped: count,
          dropped: count,
          lines: z
            .array(
              z.object({
                outcome: z.enum(["repaired", "overlapped", "dropped", "noted", "ignored"]),
                code: text,
                reason: text,
                count,
                firstByteOffset: count.nullable(),
                firstExample: text,
              }),
            )
            .max(1_000),
          textBytes: count,
          isTruncated: z.boolean(),
        }),
        timeline: storedTimelineSchema,
        correlation: columnRefSchema.nullable(),
        flows: z.object({ from: columnRefSchema, to: columnRefSchema, kind: columnRefSchema }).nullable(),
        devices: z.array(z.object({ device: count, name: text })).max(4_096),
        rank: count.nullable(),
        layerSource: z.enum(["annotation", "periodicity"]).nullable(),
        layerNames: z.array(text).max(65_536),
        originUnixNs: z
          .string()
          .regex(/^\d{1,20}$/)
          .nullable(),
      }),
    )
    .min(1)
    .max(1_024),
});

/**
 * Reads saved traces; the columns are views into `bytes`, which must begin at an address that is a multiple of 8 and not change
 * afterwards. Fails with `CONTAINER_TRUNCATED` or `CONTAINER_INVALID`.
 */
export function readTraceContainer(given: Uint8Array): Outcome<NamedTrace[]> {
  const bytes = given.byteOffset % 8 === 0 ? given : new Uint8Array(given);
  if (bytes.length < FIXED_BYTES) return fail(broken("CONTAINER_TRUNCATED", "Its header is missing."));
  const promised = new DataView(bytes.buffer, bytes.byteOffset, FIXED_BYTES).getBigUint64(8, true);
  if (promised > BigInt(MAX_HEADER_BYTES))
    return fail(broken("CONTAINER_INVALID", "Its header is larger than 256 MiB."));
  const end = FIXED_BYTES + Number(promised);
  if (end > bytes.length) return fail(broken("CONTAINER_TRUNCATED", "It ends inside of its header."));
  const json = parseJsonBytes(bytes.subarray(FIXED_BYTES, end));
  const parsed = header.safeParse("value" in json ? json.value : undefined);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail(
      broken(
        "CONTAINER_INVALID",
        `Header member ${issue?.path.join(".") || "(root)"}: ${issue?.message ?? "unexpected"}.`,
      ),
    );
  }
  const body = bytes.subarray(Math.min(bytes.length, FIXED_BYTES + Math.ceil(Number(promised) / 8) * 8));
  const traces: NamedTrace[] = [];
  for (const stored of parsed.data.traces) {
    const timeline = readTimeline(stored, body);
    if (!timeline.ok) return timeline;
    traces.push({ fileName: stored.fileName, report: stored.report, timeline: timeline.value });
  }
  return succeed(traces);
}

function readTimeline(stored: StoredTrace, body: Uint8Array): Outcome<Timeline> {
  const read = readStoredTimeline(stored.timeline, body);
  if (!read.ok) return read;
  const { events } = read.value;
  const correlation = stored.correlation === null ? undefined : words(stored.correlation, body);
  if (correlation === null || (correlation !== undefined && correlation.length !== events.startNs.length))
    return fail(broken("CONTAINER_INVALID", "Column correlation does not fit."));
  const flows = stored.flows === null ? undefined : readFlows(stored.flows, body, events.startNs.length);
  if (flows === null) return fail(broken("CONTAINER_INVALID", "The arrows do not fit the events."));
  const { devices, rank, layerSource, layerNames, originUnixNs } = stored;
  return succeed({
    ...read.value,
    events: correlation === undefined ? events : { ...events, correlation },
    ...(flows === undefined ? {} : { flows }),
    devices,
    rank,
    layerSource,
    layerNames,
    ...(originUnixNs === null ? {} : { originUnixNs: BigInt(originUnixNs) }),
  });
}

function readFlows(stored: NonNullable<StoredTrace["flows"]>, body: Uint8Array, events: number): FlowColumns | null {
  const from = words(stored.from, body);
  const to = words(stored.to, body);
  const { offset, length, type } = stored.kind;
  if (from === null || to === null || type !== "u8" || offset + length > body.length) return null;
  const kind = new Uint8Array(body.buffer, body.byteOffset + offset, length);
  if (from.length !== to.length || kind.length !== to.length) return null;
  const isSorted = from.every((event, at) => event < events && (at === 0 || event >= (from[at - 1] ?? 0)));
  return isSorted && to.every((event) => event < events) && kind.every((value) => value <= 2)
    ? { from, to, kind }
    : null;
}

function words({ type, offset, length }: ColumnRef, body: Uint8Array): Uint32Array | null {
  if (type !== "u32" || offset % 4 !== 0 || offset + length * 4 > body.length) return null;
  return length === 0 ? new Uint32Array() : new Uint32Array(body.buffer, body.byteOffset + offset, length);
}

function broken(code: "CONTAINER_TRUNCATED" | "CONTAINER_INVALID", cause: string): Problem {
  return {
    code,
    message: "These saved traces cannot be read.",
    cause,
    nextStep: "Open the original trace and save it again.",
  };
}
