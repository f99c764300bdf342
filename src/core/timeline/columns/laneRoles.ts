import { EventKind, type EventKindValue } from "./eventKind.js";

/** Events of one kind, and how their boxes look: a colour of the theme, and a pattern that tells them without colour. */
export interface EventMark {
  readonly kind: EventKindValue;
  readonly colour: MarkColour;
  readonly pattern: MarkPattern;
  /** What people call such an event. */
  readonly meaning: string;
  /** It moves bytes: its size is known, or NaN. */
  readonly isCopy?: true;
}

export type MarkColour = "blue" | "orange" | "purple" | "yellow" | "red" | "green" | "grey";
export type MarkPattern = "plain" | "rising" | "falling" | "crossed" | "dotted" | "flat" | "upright";

/** All that is known about a role of lanes. */
export interface LaneTraits {
  /** As saved files and tables of events name it. */
  readonly role: string;
  /** What people call it. */
  readonly name: string;
  /**
   * What the events of the lane count as: `compute` hides what runs beside it, `copy` moves bytes between host and device and is
   * exposed without compute, `collective` is covered like a copy but is none, `nothing` is no work of a device.
   */
  readonly counts: "compute" | "copy" | "collective" | "nothing";
  /** It has figures of its own: what of it compute covered. */
  readonly isCovered: boolean;
  /** Stands in its place where a saved profile has no such lane, so that switching runs moves nothing; null where it is left out. */
  readonly shownEmpty: string | null;
  /** How its figures are meant, a sentence; null where they explain themselves. */
  readonly about: string | null;
  /** Height of its row in the strip over the whole step, as a share of the strip; 0 where it has none. */
  readonly overviewShare: number;
  /** Work of a device that an import puts here. */
  readonly events: readonly EventMark[];
}

const COVERED = "hidden = busy time under compute; exposed = busy − hidden";

/** Every role that a lane can have, in the order in which they are drawn. The native recorder writes roles by these names. */
export const LANES = [
  {
    role: "compute",
    name: "Compute",
    counts: "compute",
    isCovered: false,
    shownEmpty: "no kernels",
    about: "busy = union of kernels other than collectives, memsets and device-to-device copies",
    overviewShare: 0.2,
    events: [
      { kind: EventKind.kernel, colour: "blue", pattern: "plain", meaning: "kernel" },
      { kind: EventKind.memset, colour: "blue", pattern: "dotted", meaning: "memset" },
    ],
  },
  {
    role: "d2h",
    name: "D2H copies",
    counts: "copy",
    isCovered: true,
    shownEmpty: "no copies",
    about: COVERED,
    overviewShare: 0.11,
    events: [
      { kind: EventKind.copyD2H, colour: "orange", pattern: "rising", meaning: "device-to-host copy", isCopy: true },
    ],
  },
  {
    role: "h2d",
    name: "H2D copies",
    counts: "copy",
    isCovered: true,
    shownEmpty: "no copies",
    about: COVERED,
    overviewShare: 0.11,
    events: [
      { kind: EventKind.copyH2D, colour: "purple", pattern: "falling", meaning: "host-to-device copy", isCopy: true },
    ],
  },
  {
    role: "d2d",
    name: "Device to device",
    counts: "compute",
    isCovered: true,
    shownEmpty: null,
    about: "Counts as compute.",
    overviewShare: 0,
    events: [
      { kind: EventKind.copyD2D, colour: "blue", pattern: "flat", meaning: "device-to-device copy", isCopy: true },
    ],
  },
  {
    role: "collective",
    name: "Collectives",
    counts: "collective",
    isCovered: true,
    shownEmpty: null,
    about: COVERED,
    overviewShare: 0,
    events: [{ kind: EventKind.collective, colour: "green", pattern: "dotted", meaning: "collective" }],
  },
  {
    // Ranges that a program named on a device; never work.
    role: "annotation",
    name: "Annotations",
    counts: "nothing",
    isCovered: false,
    shownEmpty: null,
    about: "Ranges that the program named, as they lie on the device. They count as no work.",
    overviewShare: 0,
    events: [{ kind: EventKind.annotation, colour: "grey", pattern: "flat", meaning: "annotated range" }],
  },
  {
    role: "host",
    name: "Host",
    counts: "nothing",
    isCovered: false,
    shownEmpty: "the host never waited",
    about: null,
    overviewShare: 0,
    events: [],
  },
] as const satisfies readonly LaneTraits[];

type Lane = (typeof LANES)[number];

/** What a lane shows. */
export type LaneRole = Lane["role"];

/** Roles that are measured by what compute covers of them. */
export type CoveredRole = Extract<Lane, { readonly isCovered: true }>["role"];
