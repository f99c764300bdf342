import type { ImportReport, ReportLine } from "../columns/importReport.js";

/** What can happen to an element, with the words for it. */
const REASONS = {
  COMMA_MISSING: ["repaired", "A comma was missing between two elements or members."],
  COMMA_EXTRA: ["repaired", "A comma stood behind the last member."],
  NAME_CUT: ["noted", "A name is longer than 4,096 bytes and was cut."],
  NAME_CONTROL_CHARACTERS: ["repaired", "A name held control characters; they are replaced."],
  NAME_NOT_UTF8: ["repaired", "A name is no UTF-8; the bytes that are none are replaced."],
  NAME_QUOTES: ["repaired", "A name held quotes without a backslash."],
  NAME_NOT_KEPT: ["noted", "The file has more different names than can be kept; this one is not."],
  DURATION_MISSING: ["repaired", "A complete event without a duration counts as one of no length."],
  BEGIN_WITHOUT_END: ["repaired", "A begun event never ends; it lasts until the last event of its thread."],
  SPACE_REPAIRED: ["repaired", "Control characters stood between two elements."],
  THREADS_MERGED: ["repaired", "More threads than rows can be shown; this one shares a lane."],
  OVERLAP: ["overlapped", "It starts before another event of the same stream ended; it is drawn on a second row."],
  NOT_AN_OBJECT: ["dropped", "It is no object."],
  MALFORMED: ["dropped", "It is no valid JSON, and no simple repair makes it so."],
  TRUNCATED: ["dropped", "The file ends inside of it."],
  TOO_LARGE: ["dropped", "It is larger than 16 MiB."],
  PHASE_MISSING: ["dropped", "It does not say what it is: `ph` is missing or unknown."],
  DURATION_IMPOSSIBLE: [
    "repaired",
    "It cannot have lasted so long; it is drawn as long as it can, and counts nowhere.",
  ],
  DURATIONS_ZERO: ["noted", "Work of a device that all lasted no time: the recorder wrote no ends."],
  DEVICES_OF_PROCESSES: ["noted", "Several processes have a device of this number: each counts as one of its own."],
  EVENTS_TWICE: ["noted", "The file holds another list of events; it is read, too."],
  TIME_MISSING: ["dropped", "It has no time, or the time 0 in a file whose times lie elsewhere."],
  TIME_FAR: ["dropped", "Its time lies far away from those of all others."],
  TIME_INVALID: ["dropped", "Its time is no number, or one that cannot be held in nanoseconds."],
  DURATION_INVALID: ["dropped", "Its duration is no number, or one that cannot be held in nanoseconds."],
  DURATION_NEGATIVE: ["dropped", "Its duration is negative."],
  END_WITHOUT_BEGIN: ["dropped", "It ends an event that never began."],
  COUNTER_NOT_SHOWN: ["dropped", "Counters other than memory have no track."],
  MEMORY_INCOMPLETE: ["dropped", "A memory event without the allocated total."],
  FLOW_WITHOUT_ID: ["dropped", "An arrow without an id leads nowhere."],
  PHASE_NOT_SHOWN: ["dropped", "Samples, object snapshots and memory dumps of Chrome have no track."],
  MORE_TEXT: ["ignored", "More text follows after the end of the trace, such as a second trace; it is not read."],
  TOO_MANY_EVENTS: ["dropped", "The limit of events per file is reached."],
} as const satisfies Record<string, readonly [ReportLine["outcome"], string]>;

export type ReportCode = keyof typeof REASONS;

interface Tally {
  count: number;
  readonly firstByteOffset: number | null;
  readonly firstExample: string;
}

/** Counts what happens to the elements of a file. */
export class ReportBuilder {
  total = 0;
  isTruncated = false;
  private repaired = 0;
  private dropped = 0;
  private overlapped = 0;
  private readonly tallies = new Map<ReportCode, Tally>();

  /** `example` is asked for the first one only. */
  note(code: ReportCode, offset: number | null, example: () => string): void {
    this.noteMany(code, 1, offset, example);
  }

  /** The same for `count` elements at once; what is only noted is counted in its line and nowhere else. */
  noteMany(code: ReportCode, count: number, offset: number | null, example: () => string): void {
    if (count <= 0) return;
    const outcome = REASONS[code][0];
    if (outcome === "dropped") this.dropped += count;
    else if (outcome === "repaired") this.repaired += count;
    else if (outcome === "overlapped") this.overlapped += count;
    const tally = this.tallies.get(code);
    if (tally !== undefined) tally.count += count;
    else this.tallies.set(code, { count, firstByteOffset: offset, firstExample: example() });
  }

  /** Elements whose content is somewhere. */
  get kept(): number {
    return this.total - this.dropped;
  }

  /** Why most of what was dropped was; `undefined` where nothing was. */
  get mostDropped(): string | undefined {
    const dropped = [...this.tallies].filter(([code]) => REASONS[code][0] === "dropped");
    const most = dropped.sort(([, left], [, right]) => right.count - left.count)[0];
    return most === undefined ? undefined : REASONS[most[0]][1];
  }

  build(format: ImportReport["format"], textBytes: number): ImportReport {
    const lines = [...this.tallies].map(([code, tally]) => {
      const [outcome, reason] = REASONS[code];
      return { outcome, code, reason, ...tally };
    });
    lines.sort((a, b) => b.count - a.count);
    return {
      format,
      total: this.total,
      kept: this.kept,
      repaired: this.repaired,
      overlapped: this.overlapped,
      dropped: this.dropped,
      lines,
      textBytes,
      isTruncated: this.isTruncated,
    };
  }
}
