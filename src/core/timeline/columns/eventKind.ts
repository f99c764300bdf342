/** Values of `EventColumns.kind`; the native recorder writes the same numbers. */
export const EventKind = {
  kernel: 0,
  memset: 1,
  copyD2H: 2,
  copyH2D: 3,
  copyD2D: 4,
  collective: 5,
  /** The host stood still until a device event. */
  hostWait: 6,
  /** A stream stood still until an event of another stream. */
  streamWait: 7,
  /** The host called the pinned allocator below the pool. */
  pinnedAllocation: 8,
  other: 9,
  /** An operator of the framework, on a thread of the host. */
  operator: 10,
  /** A call of the driver or the runtime. */
  runtimeCall: 11,
  /** A range that the program named, on the host or on the device; never counted as work. */
  annotation: 12,
  /** A frame of the interpreter. */
  pythonFrame: 13,
  /** Work of a device whose times contradict others: drawn up to where it can have lasted, never counted as work. */
  doubtful: 14,
} as const;

export type EventKindValue = (typeof EventKind)[keyof typeof EventKind];
