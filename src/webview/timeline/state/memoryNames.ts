import type { MemoryOf } from "../../../core/timeline/columns/columns.js";

/** What the page calls a memory curve. */
export const MEMORY_NAMES: Readonly<Record<MemoryOf, string>> = {
  device: "Device memory",
  pinned: "Pinned memory",
  host: "Host memory",
};

/** What a memory curve counts. */
export const MEMORY_TEXTS: Readonly<Record<MemoryOf, string>> = {
  device: "Live tensor bytes, parameters included. Where they dominate, the axis begins just below them (jagged edge).",
  pinned: "Page-locked host memory, as the pinned allocator holds it.",
  host: "Tensors in ordinary host memory since recording began, as the framework's allocator reports them.",
};
