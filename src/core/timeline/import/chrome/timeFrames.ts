import type { ReportBuilder, ReportCode } from "../reportBuilder.js";
import type { EventStore } from "./eventStore.js";
import { FlowPoints } from "./flowPoints.js";
import { MemoryEvents } from "./memoryEvents.js";
import { OpenEvents } from "./openEvents.js";

/** Half of what a double can count, so that differences of two times are exact too: 52 days of nanoseconds. */
export const MAX_TIME = 2 ** 52;
const MAX_FRAMES = 8;
/** How often a file may jump from one frame to another; only a damaged one does at all. */
const MAX_RUNS = 2 ** 16;

/** Times that lie near enough to each other to be counted in nanoseconds from one reference, and what is not in the store. */
export class TimeFrame {
  readonly flows = new FlowPoints();
  readonly memory = new MemoryEvents();
  readonly open: OpenEvents;

  /** Whole microseconds that the times count from; NaN before there are any. */
  constructor(
    readonly referenceUs: number,
    store: EventStore,
  ) {
    this.open = new OpenEvents(store);
  }
}

interface Run {
  readonly from: number;
  readonly frame: TimeFrame;
}

/**
 * The frames of a file: one, as long as its times are sound. A time of 0 or of another unit among times since 1970 opens
 * another one; in the end the frame with most events stays, whichever came first.
 */
export class TimeFrames {
  private readonly frames: TimeFrame[] = [];
  private readonly runs: Run[] = [];

  constructor(private readonly store: EventStore) {}

  get all(): readonly TimeFrame[] {
    return this.frames;
  }

  /** The frame that holds `us`, made where there is none; `undefined` where there are too many. */
  holding(us: number): TimeFrame | undefined {
    if (this.runs.length >= MAX_RUNS) return undefined;
    let frame = this.frames.find(({ referenceUs }) => Math.abs(us - referenceUs) < MAX_TIME / 1000 - 1);
    if (frame === undefined) {
      if (this.frames.length >= MAX_FRAMES) return undefined;
      frame = new TimeFrame(us, this.store);
      this.frames.push(frame);
    }
    this.runs.push({ from: this.store.length, frame });
    return frame;
  }

  /**
   * The frame that stays, and the numbers of its events where there are others, which are reported as dropped. Events at exactly
   * 0 have no time: they never win against any that have one.
   */
  settle(
    report: ReportBuilder,
    nameOf: (event: number) => string,
  ): { frame: TimeFrame; kept: Uint32Array | undefined } {
    const [first] = this.frames;
    if (first === undefined) return { frame: new TimeFrame(Number.NaN, this.store), kept: undefined };
    if (this.frames.length === 1) return { frame: first, kept: undefined };
    const counts = new Map(this.frames.map((frame) => [frame, 0]));
    this.eachEvent((event, frame) => {
      const isTime = frame.referenceUs !== 0 || this.store.startOf(event) !== 0;
      // Events without a time count, but less than a single one with a time.
      counts.set(frame, (counts.get(frame) ?? 0) + (isTime ? 1 : 2 ** -32));
    });
    const frame = this.frames.reduce((best, one) => ((counts.get(one) ?? 0) > (counts.get(best) ?? 0) ? one : best));
    const kept: number[] = [];
    this.eachEvent((event, of) => {
      if (of === frame) kept.push(event);
      else report.note(missingOrFar(of, this.store.startOf(event)), null, () => nameOf(event));
    });
    for (const other of this.frames) {
      if (other === frame) continue;
      report.noteMany(missingOrFar(other, 0), other.flows.length + other.memory.length, null, () => "");
    }
    return { frame, kept: Uint32Array.from(kept) };
  }

  private eachEvent(visit: (event: number, frame: TimeFrame) => void): void {
    for (const [at, { from, frame }] of this.runs.entries()) {
      const to = this.runs[at + 1]?.from ?? this.store.length;
      for (let event = from; event < to; event++) visit(event, frame);
    }
  }
}

function missingOrFar({ referenceUs }: TimeFrame, startNs: number): ReportCode {
  return startNs === -referenceUs * 1000 || (referenceUs === 0 && startNs === 0) ? "TIME_MISSING" : "TIME_FAR";
}
