import { parseJsonBytes } from "../../../base/utf8.js";
import type { TimelineDevice, TimelineLane } from "../../columns/columns.js";
import type { DeviceNumbers } from "./deviceNumbers.js";
import { withoutControls } from "./lenientText.js";

type Members = ReadonlyMap<string, Uint8Array>;

/** Devices that have lanes, with the names that the header gives them, and the process where several have the same device. */
export function devicesOf(lanes: readonly TimelineLane[], members: Members, devices: DeviceNumbers): TimelineDevice[] {
  const numbers = new Set(lanes.flatMap((lane) => lane.device ?? []));
  const names = new Map<number, string>();
  const properties = read(members, "deviceProperties");
  if (Array.isArray(properties))
    for (const entry of properties as unknown[]) {
      const { id, name } = memberOf(entry);
      if (typeof id === "number" && typeof name === "string") names.set(id, withoutControls(name.slice(0, 200)));
    }
  return [...numbers]
    .sort((a, b) => a - b)
    .map((device) => {
      const origin = devices.originOf(device);
      if (origin === undefined) return { device, name: names.get(device) ?? "" };
      const whose = `device ${origin.device} of ${origin.process}`;
      const name = names.get(origin.device);
      return { device, name: name === undefined ? whose : `${name}, ${whose}` };
    });
}

/** Rank of the process that wrote the file; null where the header does not say. */
export function rankOf(members: Members): number | null {
  const { rank } = memberOf(read(members, "distributedInfo"));
  return typeof rank === "number" && Number.isInteger(rank) && rank >= 0 ? rank : null;
}

/**
 * Unix time of the origin: Kineto counts from `baseTimeNanoseconds`; other files count from 1970 themselves, if their times
 * are large enough to do so (after 2001).
 */
export function originUnixNs(members: Members, referenceUs: number, originNs: number): { originUnixNs?: bigint } {
  if (!Number.isInteger(referenceUs)) return {};
  const digits = text(members.get("baseTimeNanoseconds")).match(/^\d{1,20}$/)?.[0];
  const ownNs = BigInt(referenceUs) * 1000n + BigInt(Math.round(originNs));
  if (digits !== undefined) return { originUnixNs: BigInt(digits) + ownNs };
  return referenceUs > 1e15 ? { originUnixNs: ownNs } : {};
}

function read(members: Members, key: string): unknown {
  const bytes = members.get(key);
  if (bytes === undefined) return undefined;
  const parsed = parseJsonBytes(bytes);
  return "value" in parsed ? parsed.value : undefined;
}

function memberOf(value: unknown): { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null ? (value as { readonly [key: string]: unknown }) : {};
}

function text(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? "" : String.fromCharCode(...bytes.subarray(0, 40));
}
