import { EventKind } from "./eventKind.js";
import { type CoveredRole, type EventMark, LANES, type LaneRole, type LaneTraits } from "./laneRoles.js";

/* What follows from the table of lanes, in the form that loops over millions of events need. */

/** Highest value of `EventColumns.kind`. */
export const HIGHEST_KIND: number = Math.max(...Object.values(EventKind));

/** Every role, in the order in which they are drawn. */
export const ROLE_ORDER: readonly LaneRole[] = LANES.map(({ role }) => role);

const traitsOf = new Map<LaneRole, LaneTraits>(LANES.map((traits) => [traits.role, traits]));

/** What is known about a role. */
export function laneTraits(role: LaneRole): LaneTraits {
  const traits = traitsOf.get(role);
  if (traits === undefined) throw new Error(`No lane has the role ${role}.`);
  return traits;
}

/** Names of all roles for people. */
export const ROLE_NAMES = Object.fromEntries(LANES.map(({ role, name }) => [role, name])) as Readonly<
  Record<LaneRole, string>
>;

/** Role of the lane that a device's work of this kind lies on; `undefined` for what no device does. */
export function roleOfKind(kind: number): LaneRole | undefined {
  return ROLES[kind];
}

const ROLES: readonly (LaneRole | undefined)[] = Array.from(
  { length: HIGHEST_KIND + 1 },
  (_, kind) => LANES.find(({ events }) => events.some((event) => event.kind === kind))?.role,
);

/** Whether a role has figures of its own. */
export function isCoveredRole(role: LaneRole): role is CoveredRole {
  return laneTraits(role).isCovered;
}

/** The roles with figures of their own, in drawing order. */
export const COVERED_ROLES: readonly CoveredRole[] = ROLE_ORDER.filter(isCoveredRole);

/** Kinds of the events that belong to a role. */
export function kindsOf(role: LaneRole): readonly number[] {
  return laneTraits(role).events.map(({ kind }) => kind);
}

/** Whether an event of this kind moves bytes: its size is known, or NaN. */
export function isCopy(kind: number): boolean {
  return COPIES[kind] === 1;
}

const MARKS: readonly EventMark[] = LANES.flatMap(({ events }) => events as readonly EventMark[]);
const COPIES = Uint8Array.from({ length: HIGHEST_KIND + 1 }, (_, kind) =>
  MARKS.some((mark) => mark.kind === kind && mark.isCopy === true) ? 1 : 0,
);

/** Values of `workOf`. */
export const Work = { none: 0, compute: 1, copy: 2, collective: 3 } as const;

/** What an event of this kind counts as; `Work.none` for waits, calls of the host and named ranges. */
export function workOf(kind: number): number {
  return WORK[kind] ?? Work.none;
}

const WORK = Uint8Array.from(ROLES, (role) => {
  const counts = role === undefined ? "nothing" : laneTraits(role).counts;
  return counts === "nothing" ? Work.none : Work[counts];
});
