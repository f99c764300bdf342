/** What a number is computed from, in one sentence; shown in hovers and in the help, so that nobody has to guess. */
export interface Formula {
  readonly name: string;
  readonly formula: string;
}

/** Formulas of all metrics, in the order in which they are explained. Intervals are unions: overlap counts once. */
export const FORMULAS = {
  span: { name: "Span", formula: "last end − first start of everything on the device; of a selection: its length" },
  computeBusy: {
    name: "Compute busy",
    formula: "union of kernels other than collectives (names beginning with nccl), memsets and device-to-device copies",
  },
  idle: { name: "Idle", formula: "span − union of everything on the device" },
  count: { name: "Count", formula: "number of events; kernels leave collectives out" },
  bytes: { name: "Bytes", formula: "sum of the bytes that the events moved" },
  bandwidth: {
    name: "Bandwidth",
    formula: "bytes ÷ duration of each copy of at least 64 KiB, in 10⁹ bytes per second",
  },
  busy: { name: "Busy", formula: "union of the role's intervals" },
  hidden: { name: "Hidden", formula: "part of busy that lies under compute busy" },
  exposed: { name: "Exposed", formula: "busy − hidden: the time that the step pays for" },
  copiesAny: { name: "Copies, both ways", formula: "D2H and H2D as one role: time in which both run counts once" },
  hostLate: {
    name: "Host late",
    formula: "idle time until the work that ends the gap is launched − the two waits below",
  },
  copyWait: {
    name: "Waiting for a copy",
    formula: "idle time in which the host or a compute stream waits, where a copy was waited for or ran last",
  },
  collectiveWait: {
    name: "Waiting for a collective",
    formula: "idle time in which the host or a compute stream waits, where a collective was waited for or ran last",
  },
  idleOther: { name: "Other idle time", formula: "idle − host late − waiting for a copy − waiting for a collective" },
  difference: { name: "Difference", formula: "B − A, medians over the common steps" },
  noise: {
    name: "Noise",
    formula:
      "2 standard errors of both medians, from the median absolute deviations; of fewer than 6 steps at least half their range; of simulated steps how far their ranges reach towards each other",
  },
} as const satisfies Record<string, Formula>;
