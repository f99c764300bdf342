/**
 * Something about a timeline that the user should know. Errors are impossible or wrong orders of work (validity), warnings
 * are time lost, information explains.
 */
export interface Finding {
  /** Upper snake case, stable. */
  readonly code: string;
  readonly severity: "error" | "warning" | "information";
  /** One sentence with the numbers. */
  readonly message: string;
  /** What it means and what to do about it. */
  readonly explanation: string;
  /** The events that it is about, the most telling first, at most `MAX_FINDING_EVENTS`; `eventCount` counts all. */
  readonly events: readonly FindingEvent[];
  readonly eventCount: number;
  /** The order that is violated: `from` had to end before `to` began. Indices of events; null for anything but validity. */
  readonly arrow: { readonly from: number; readonly to: number } | null;
  /** Time that would be won if the cause went away, at most; null where that cannot be said. */
  readonly costNs: number | null;
  /** Settings that change it, as the fields are named in a config. */
  readonly configKeys: readonly string[];
  /** Number of the device; null where it is about the host or about none. */
  readonly device: number | null;
}

export interface FindingEvent {
  readonly event: number;
  readonly name: string;
  readonly stream: string;
  readonly startNs: number;
  readonly durationNs: number;
}

export const MAX_FINDING_EVENTS = 16;
