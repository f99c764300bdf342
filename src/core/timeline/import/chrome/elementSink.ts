import type { EventKindValue } from "../../columns/eventKind.js";
import { isCopy } from "../../columns/laneWork.js";
import type { ReportBuilder, ReportCode } from "../reportBuilder.js";
import { Category, copyKind, isOnDevice, kindOf } from "./category.js";
import { EventStore, MAX_EVENTS } from "./eventStore.js";
import { LaneTable, LaneUse, useOfKind } from "./laneTable.js";
import { HOST_MEMORY } from "./memoryEvents.js";
import { NameRepair } from "./nameRepair.js";
import type { NameTable } from "./nameTable.js";
import { MAX_TIME, TimeFrame, TimeFrames } from "./timeFrames.js";
import { Repair, type TraceElement } from "./traceElement.js";

/** More than there are categories. */
const CATEGORIES = 16;
const UNKNOWN_KIND = 255;
/** How the framework numbers the kinds of devices: 0 is the host. */
const HOST_DEVICE_TYPE = 0;
/** Larger numbers are no devices but processes. */
const MAX_DEVICE = 4_096;

/** Takes elements as they are read and puts each where it belongs: events, memory, arrows, names, or the report. */
export class ElementSink {
  readonly store = new EventStore();
  readonly lanes: LaneTable;
  readonly frames = new TimeFrames(this.store);
  /** Whether categories of Kineto, or the task types of Ascend, occurred. */
  isKineto = false;
  isAscend = false;
  /** Task type by event name, for traces that say it in `args` only. */
  readonly taskTypes = new Map<number, number>();
  /** The frame of the time that was read last. */
  private frame = new TimeFrame(Number.NaN, this.store);
  /** Cut names that were reported: each is one, however often it occurs. */
  private readonly cutNames = new Set<number>();
  private kinds = new Uint8Array(2 ** 12).fill(UNKNOWN_KIND);
  private offset = 0;

  constructor(
    private readonly names: NameTable,
    private readonly report: ReportBuilder,
    private readonly exampleAt: (offset: number) => string,
  ) {
    this.lanes = new LaneTable(names);
  }

  /** Takes the element that was just read and began at `offset` of the text. */
  take(element: TraceElement, offset: number): undefined {
    this.offset = offset;
    if (element.repairs !== 0) this.noteRepairs(element);
    switch (element.phase) {
      case Phase.complete:
        return this.takeComplete(element);
      case Phase.begin:
        return this.takeBegin(element);
      case Phase.end:
        return this.takeEnd(element);
      case Phase.instant:
      case Phase.instantOld:
      case Phase.mark:
        return this.takeInstant(element);
      case Phase.flowStart:
        return this.takeFlow(element, 0);
      case Phase.flowStep:
        return this.takeFlow(element, 1);
      case Phase.flowEnd:
        return this.takeFlow(element, 2);
      case Phase.metadata:
        return this.takeMetadata(element);
      case Phase.asyncBegin:
      case Phase.asyncBeginOld:
        return this.takeAsyncBegin(element);
      case Phase.asyncEnd:
      case Phase.asyncEndOld:
        return this.takeAsyncEnd(element);
      case Phase.asyncInstant:
        return this.takeInstant(element);
      case Phase.counter:
        return this.note("COUNTER_NOT_SHOWN");
      case Phase.sample:
      case Phase.objectNew:
      case Phase.objectSnapshot:
      case Phase.objectDeleted:
      case Phase.memoryDump:
      case Phase.memoryDumpGlobal:
      case Phase.clockSync:
        return this.note("PHASE_NOT_SHOWN");
      default:
        return this.note("PHASE_MISSING");
    }
  }

  /** Nothing came that has a place in time. */
  get isEmpty(): boolean {
    return this.store.length === 0 && this.frames.all.every(({ memory }) => memory.isEmpty);
  }

  /** Ends what was begun and never ended. */
  finish(): void {
    const closed = this.frames.all.reduce((sum, { open }) => sum + open.closeAll(), 0);
    this.report.noteMany("BEGIN_WITHOUT_END", closed, null, () => "");
    this.report.noteMany("THREADS_MERGED", this.lanes.mergedThreads, null, () => "");
  }

  private takeComplete(element: TraceElement): undefined {
    const startNs = this.timeOf(element);
    if (startNs === undefined) return;
    let durationNs = 0;
    if (element.hasDuration) {
      const read = element.duration.inThousandths();
      if (read === undefined) return this.note("DURATION_INVALID");
      if (read < 0) return this.note("DURATION_NEGATIVE");
      durationNs = read;
    } else this.note("DURATION_MISSING");
    if (this.isFull()) return;
    const { category } = element;
    const name = this.nameOf(element);
    const { args } = element;
    const isMtiaCopy = category === Category.mtiaWork && args.direction >= 0;
    const kind = isMtiaCopy ? copyKind(this.names.texts[args.direction] ?? "") : this.kindOf(category, name);
    const thread = this.lanes.thread(element.pid, element.tid);
    if (args.taskType >= 0) {
      this.isAscend = true;
      this.taskTypes.set(name, args.taskType);
    }
    this.frame.open.reach(thread, startNs + durationNs);
    this.store.add(
      startNs,
      durationNs,
      this.laneFor(element, thread, kind),
      name,
      kind,
      sizeOf(kind, isMtiaCopy ? args.sizeBytes : args.bytes, durationNs),
      args.correlation,
    );
  }

  private laneFor(element: TraceElement, thread: number, kind: number): number {
    const { category } = element;
    if (category === Category.other || category === Category.instant) return this.lanes.lane(thread, LaneUse.host, -1);
    if (category !== Category.deviceAnnotation && !isOnDevice(category)) {
      this.isKineto = true;
      return this.lanes.lane(thread, LaneUse.host, -1);
    }
    this.isKineto = true;
    const { device } = element.args;
    const number = device >= 0 && device < MAX_DEVICE ? device : element.pid;
    const isDevice = number >= 0 && number < MAX_DEVICE;
    return this.lanes.lane(thread, deviceUse(category, kind), isDevice ? number : 0);
  }

  private takeBegin(element: TraceElement): undefined {
    const startNs = this.timeOf(element);
    if (startNs === undefined || this.isFull()) return;
    const thread = this.lanes.thread(element.pid, element.tid);
    this.frame.open.begin(thread, this.addOnHost(element, thread, startNs, LaneUse.host), startNs);
  }

  private takeEnd(element: TraceElement): undefined {
    const endNs = this.timeOf(element);
    if (endNs === undefined) return;
    if (!this.frame.open.end(this.lanes.thread(element.pid, element.tid), endNs)) this.note("END_WITHOUT_BEGIN");
  }

  private takeAsyncBegin(element: TraceElement): undefined {
    const startNs = this.timeOf(element);
    if (startNs === undefined || this.isFull()) return;
    const thread = this.lanes.thread(element.pid, element.tid);
    this.frame.open.beginAsync(element.id, this.addOnHost(element, thread, startNs, LaneUse.async), startNs);
  }

  private takeAsyncEnd(element: TraceElement): undefined {
    const endNs = this.timeOf(element);
    if (endNs === undefined) return;
    if (!this.frame.open.endAsync(element.id, endNs)) this.note("END_WITHOUT_BEGIN");
  }

  private takeInstant(element: TraceElement): undefined {
    const { args } = element;
    if (element.category === Category.instant && args.deviceType >= 0) {
      const timeNs = this.timeOf(element);
      if (timeNs === undefined) return;
      if (args.allocatedBytes < 0) return this.note("MEMORY_INCOMPLETE");
      const isHost = args.deviceType === HOST_DEVICE_TYPE;
      this.frame.memory.add(element.pid, isHost ? HOST_MEMORY : Math.max(0, args.device), timeNs, args.allocatedBytes);
      return;
    }
    const timeNs = this.timeOf(element);
    if (timeNs === undefined || this.isFull()) return;
    this.addOnHost(element, this.lanes.thread(element.pid, element.tid), timeNs, LaneUse.host);
  }

  private addOnHost(element: TraceElement, thread: number, startNs: number, use: number): number {
    this.frame.open.reach(thread, startNs);
    const name = this.nameOf(element);
    const { bytes, correlation } = element.args;
    const kind = this.kindOf(element.category, name);
    return this.store.add(
      startNs,
      0,
      this.lanes.lane(thread, use, -1),
      name,
      kind,
      sizeOf(kind, bytes, 0),
      correlation,
    );
  }

  private takeFlow(element: TraceElement, phase: number): undefined {
    if (element.id === -1) return this.note("FLOW_WITHOUT_ID");
    const timeNs = this.timeOf(element);
    if (timeNs === undefined) return;
    // A launch is told by the correlation id of its two events; its arrows say nothing more.
    if (element.category === Category.launchFlow) return;
    this.frame.flows.add(timeNs, element.id, this.lanes.thread(element.pid, element.tid), phase, element.category);
  }

  private takeMetadata(element: TraceElement): undefined {
    const text = this.names.texts[element.args.text];
    const name = this.names.texts[element.name];
    if (text === undefined) return;
    if (name === "process_name") this.lanes.nameProcess(element.pid, text);
    else if (name === "process_labels") this.lanes.labelProcess(element.pid, text);
    else if (name === "thread_name") this.lanes.nameThread(element.pid, element.tid, text);
  }

  /** Nanoseconds since the reference; notes what is wrong and gives `undefined` where there is no usable time. */
  private timeOf(element: TraceElement): number | undefined {
    const { time } = element;
    if (!element.hasTime) {
      this.note("TIME_MISSING");
      return undefined;
    }
    if (time.isValid) {
      const us = time.isNegative ? -time.whole : time.whole;
      const thousandths = time.isNegative ? -time.thousandths : time.thousandths;
      const ns = (us - this.frame.referenceUs) * 1000 + thousandths;
      if (ns < MAX_TIME && ns > -MAX_TIME) return ns;
      const frame = this.frames.holding(us);
      if (frame !== undefined) {
        this.frame = frame;
        return (us - frame.referenceUs) * 1000 + thousandths;
      }
    }
    this.note("TIME_INVALID");
    return undefined;
  }

  /** Each cause by its own name. */
  private noteRepairs({ repairs, name, categoryName }: TraceElement): void {
    const ofName = repairs >> Repair.nameBits;
    if ((repairs & Repair.commaMissing) !== 0) this.note("COMMA_MISSING");
    if ((repairs & Repair.commaExtra) !== 0) this.note("COMMA_EXTRA");
    if ((repairs & Repair.quotes) !== 0) this.note("NAME_QUOTES");
    if ((ofName & NameRepair.controlCharacter) !== 0) this.note("NAME_CONTROL_CHARACTERS");
    if ((ofName & NameRepair.invalidUtf8) !== 0) this.note("NAME_NOT_UTF8");
    if ((ofName & NameRepair.notKept) !== 0) this.note("NAME_NOT_KEPT");
    if ((ofName & NameRepair.cut) === 0) return;
    for (const text of [name, categoryName]) {
      if (((this.names.repairs[text] ?? 0) & NameRepair.cut) === 0 || this.cutNames.has(text)) continue;
      this.cutNames.add(text);
      this.note("NAME_CUT");
    }
  }

  private nameOf(element: TraceElement): number {
    return element.name >= 0 ? element.name : this.names.internText("(unnamed)");
  }

  private kindOf(category: number, name: number): EventKindValue {
    const key = name * CATEGORIES + category;
    if (key >= this.kinds.length) {
      const larger = new Uint8Array(Math.max(this.kinds.length * 2, key + CATEGORIES)).fill(UNKNOWN_KIND);
      larger.set(this.kinds);
      this.kinds = larger;
    }
    const known = this.kinds[key] ?? UNKNOWN_KIND;
    if (known !== UNKNOWN_KIND) return known as EventKindValue;
    const kind = kindOf(category, this.names.texts[name] ?? "");
    this.kinds[key] = kind;
    return kind;
  }

  private isFull(): boolean {
    if (this.store.length < MAX_EVENTS) return false;
    this.note("TOO_MANY_EVENTS");
    return true;
  }

  /** Gives `undefined`, so that a reader can end with it. */
  private note(code: ReportCode): undefined {
    this.report.note(code, this.offset, () => this.exampleAt(this.offset));
  }
}

/** 100 TB/s, ten times what the fastest memory of a device moves: a copy that says more has a wrong size, or a wrong time. */
const MOST_BYTES_PER_NS = 100_000;

/** What the column holds for a size of which -1 is none; `durationNs` is 0 where it is not known. */
function sizeOf(kind: number, bytes: number, durationNs: number): number {
  if (!isCopy(kind)) return Math.max(bytes, 0);
  const isImpossible = durationNs > 0 && bytes > durationNs * MOST_BYTES_PER_NS;
  return bytes < 0 || isImpossible ? Number.NaN : bytes;
}

function deviceUse(category: number, kind: number): number {
  if (category === Category.deviceAnnotation) return LaneUse.deviceRanges;
  return category === Category.deviceSync ? LaneUse.deviceSync : useOfKind(kind);
}

const Phase = {
  complete: 0x58,
  begin: 0x42,
  end: 0x45,
  instant: 0x69,
  instantOld: 0x49,
  mark: 0x52,
  flowStart: 0x73,
  flowStep: 0x74,
  flowEnd: 0x66,
  metadata: 0x4d,
  asyncBegin: 0x62,
  asyncEnd: 0x65,
  asyncInstant: 0x6e,
  asyncBeginOld: 0x53,
  asyncEndOld: 0x46,
  counter: 0x43,
  sample: 0x50,
  objectNew: 0x4e,
  objectSnapshot: 0x4f,
  objectDeleted: 0x44,
  memoryDump: 0x76,
  memoryDumpGlobal: 0x56,
  clockSync: 0x63,
} as const;
