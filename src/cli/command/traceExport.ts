import { basename } from "node:path";
import { fail, type Outcome } from "../../core/base/outcome.js";
import {
  type NamedTrace,
  TRACE_CONTAINER_MAGIC,
  traceContainer,
} from "../../core/timeline/container/traceContainer.js";
import { CHROME_JSON_START, chromeJson } from "../../core/timeline/export/chromeJson.js";
import { EVENTS_CSV_HEAD, eventsCsv } from "../../core/timeline/export/eventsCsv.js";
import { plainReport } from "../../core/timeline/query/indexTraces.js";
import type { LoadedTimeline } from "../../node/timelineFiles.js";
import { type Replacing, writePieces } from "../../node/writePieces.js";

/** What may be replaced by an export to `path`: nothing that was read, and what begins like an export of that format. */
export function replacingExports(path: string, inputs: readonly string[]): Replacing {
  const ours = Buffer.from(startOf(path));
  return { inputs, isReplaceable: (start) => ours.equals(start.subarray(0, ours.length)) };
}

function startOf(path: string): string {
  if (/\.offload$/i.test(path)) return TRACE_CONTAINER_MAGIC;
  return /\.csv$/i.test(path) ? EVENTS_CSV_HEAD : CHROME_JSON_START;
}

/** Writes the one timeline of a file in the format that the name of `path` says. */
export async function writeTimelines(
  loaded: readonly LoadedTimeline[],
  path: string,
  replacing: Replacing,
): Promise<Outcome<null>> {
  const [one] = loaded;
  const isContainer = /\.offload$/i.test(path);
  if (one !== undefined && isContainer) return writePieces(path, traceContainer(loaded.map(named)), replacing);
  if (one === undefined || loaded.length > 1)
    return fail({
      code: "TIMELINE_AMBIGUOUS",
      message: `${path} was not written.`,
      cause:
        one === undefined
          ? "There is no timeline."
          : `There are ${loaded.length} timelines, and this format holds one.`,
      nextStep: "Give a file with one timeline; the runs of a saved profile can be exported in the editor.",
    });
  const { timeline } = one;
  if (/\.csv$/i.test(path)) return writePieces(path, eventsCsv(timeline, timeline.events.startNs.keys()), replacing);
  return writePieces(path, chromeJson(timeline), replacing);
}

function named({ file, run, timeline, report }: LoadedTimeline): NamedTrace {
  return { fileName: run === null ? basename(file) : run, report: report ?? plainReport(timeline), timeline };
}
