import type { LinkResult } from "../../../src/core/profile/link.js";

/** A measurement as an H200 gives it. */
export const sampleLink: LinkResult = {
  device: { kind: "cuda", name: "NVIDIA H200", driver: "580.159.04 (CUDA 13.0)", numaNode: 1 },
  pinned: { d2hGBps: 55.26, h2dGBps: 55.15, bothGBps: 98.18 },
  pageable: { d2hGBps: 14.45, h2dGBps: 6.41, bothGBps: 0 },
  verified: true,
  warnings: [],
};
