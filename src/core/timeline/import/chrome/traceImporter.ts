import { fail, type Outcome, type Problem, succeed } from "../../../base/outcome.js";
import { counted } from "../../../base/quantities.js";
import type { Timeline } from "../../columns/columns.js";
import { completeTimeline } from "../completeTimeline.js";
import { ReportBuilder } from "../reportBuilder.js";
import type { ImportedTrace, StreamImporter } from "../traceFormat.js";
import { reclassifyAscend } from "./ascendTasks.js";
import { ElementSink } from "./elementSink.js";
import { linkFlows } from "./flowLinks.js";
import { NameTable } from "./nameTable.js";
import { MOST_SEPARATORS } from "./separators.js";
import { TraceElement } from "./traceElement.js";
import { devicesOf, originUnixNs, rankOf } from "./traceMembers.js";
import { TraceText } from "./traceText.js";

/**
 * Reads a trace in the Chrome trace-event format (Kineto's dialects old and new, Ascend's, generic ones) from pieces of its
 * JSON text, in memory proportional to the number of events. Times are exact to the nanosecond. Broken input is repaired or
 * dropped, and counted; only what is no trace at all fails.
 */
export class TraceImporter implements StreamImporter {
  private readonly names = new NameTable();
  private readonly report = new ReportBuilder();
  private readonly element: TraceElement;
  private readonly text: TraceText;
  private readonly sink = new ElementSink(this.names, this.report, (offset) => this.text.exampleAt(offset));

  private isCutOff = false;

  /** With no `mostSeparators` nothing is learned from one element for the next: same result, slower. */
  constructor(mostSeparators = MOST_SEPARATORS) {
    this.element = new TraceElement(this.names, mostSeparators);
    this.text = new TraceText(this.element, this.report);
  }

  /** Events so far. */
  get events(): number {
    return this.sink.store.length;
  }

  /** Bytes of JSON text so far. */
  get textBytes(): number {
    return this.text.length;
  }

  /** Why this can be no trace; `undefined` as long as it may be one. Reading on is pointless then. */
  get refusal(): string | undefined {
    return this.text.refusal;
  }

  /** Takes the next piece of the text; `bytes` may be reused afterwards. */
  push(bytes: Uint8Array): void {
    this.text.push(bytes, this.sink);
  }

  /** The text breaks off, for a reason that the text itself does not show. */
  markTruncated(): void {
    this.isCutOff = true;
  }

  /**
   * Sorts, links and recognises. Fails with `TRACE_EMPTY` or `TRACE_FOREIGN`. The importer is used up.
   */
  finish(): Outcome<ImportedTrace> {
    const { text, sink, names, report } = this;
    text.finish();
    if (this.isCutOff) report.isTruncated = true;
    if (text.length === 0) return fail(empty("The file has no bytes."));
    if (text.refusal !== undefined) return fail(foreign(text.refusal));
    if (!text.hasElements) return fail(foreign("It has no traceEvents."));
    sink.finish();
    if (sink.isEmpty) return fail(report.total > 0 ? nothingRead(report) : empty("It lists no events."));
    const isAscend = reclassifyAscend(sink, names) || sink.isAscend;
    const { lanes, devices } = sink.lanes.describe();
    report.noteMany("DEVICES_OF_PROCESSES", devices.shared, null, () => "");
    const nameOf = (name: number) => names.texts[name] ?? "";
    const { frame, kept } = sink.frames.settle(report, (event) => nameOf(sink.store.nameOf(event)));
    const { events, originNs } = sink.store.toColumns(kept, -frame.referenceUs * 1000, (name, isZero) =>
      report.note(isZero ? "TIME_MISSING" : "TIME_FAR", null, () => nameOf(name)),
    );
    const base: Timeline = {
      lanes,
      strings: names.texts,
      events,
      memory: frame.memory.toCurves(originNs, devices, events.startNs.at(-1)),
      spans: [],
      devices: devicesOf(lanes, text.members, devices),
      rank: rankOf(text.members),
      flows: linkFlows(events, frame.flows, sink.lanes, originNs),
      ...originUnixNs(text.members, frame.referenceUs, originNs),
    };
    const timeline = completeTimeline(base, report);
    const format = isAscend ? "ascend" : sink.isKineto ? "kineto" : "chrome";
    return succeed({ timeline, report: report.build(format, text.length) });
  }
}

function empty(cause: string): Problem {
  return { code: "TRACE_EMPTY", message: "This trace is empty.", cause, nextStep: "Record it again." };
}

/** Elements there were, but none that could be shown: an empty picture would say that nothing happened. */
function nothingRead({ total, kept, mostDropped }: ReportBuilder): Problem {
  const of = total === 1 ? "Its only element is no event" : `None of its ${counted(total, "element")} is an event`;
  if (kept > 0) return empty(`${of} that can be shown: it names processes and threads, and nothing that they did.`);
  return foreign(
    mostDropped === undefined ? `${of} that can be read.` : `${of} that can be read. Most often: ${mostDropped}`,
  );
}

function foreign(cause: string): Problem {
  return {
    code: "TRACE_FOREIGN",
    message: "This is no trace that can be read.",
    cause,
    nextStep: "Open a file that a profiler wrote in the Chrome trace-event format, such as *.pt.trace.json.",
  };
}
