import { counted, formatBytes, formatRate } from "../../base/quantities.js";

/** What stands where a size is not known. */
export const NO_SIZE = "size not recorded";
/** The same in a row or column that names the size already. */
export const NOT_RECORDED = "not recorded";

/** Copies, of which `sizedCount` have a size that is known, and are busy for `sizedBusyNs`; absent where all have. */
interface Sized {
  readonly count: number;
  readonly bytes: number | null;
  readonly busyNs: number;
  readonly sizedCount?: number;
  readonly sizedBusyNs?: number;
}

/** `1.27 GiB`; `size not recorded`; `1.27 GiB of 4 copies, size of 1 not recorded`. */
export function sizeText({ count, sizedCount = count, bytes }: Sized): string {
  if (bytes === null) return NO_SIZE;
  if (sizedCount === count) return formatBytes(bytes);
  return `${formatBytes(bytes)} of ${counted(sizedCount, "copy", "copies")}, size of ${count - sizedCount} not recorded`;
}

/** Rate over the copies whose size is known; empty where there is none. */
export function rateText({ bytes, busyNs, sizedBusyNs = busyNs }: Sized): string {
  return bytes === null ? "" : formatRate(bytes, sizedBusyNs);
}
