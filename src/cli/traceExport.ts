import { basename } from "node:path";
import { fail, type Outcome } from "../core/outcome.js";
import { chromeJson } from "../core/timeline/export/chromeJson.js";
import { eventsCsv } from "../core/timeline/export/eventsCsv.js";
import { type NamedTrace, traceContainer } from "../core/timeline/export/traceContainer.js";
import { plainReport } from "../core/timeline/indexTraces.js";
import type { LoadedTimeline } from "../node/timelineFiles.js";
import { writePieces } from "../node/writePieces.js";

/** Writes the one timeline of a file in the format that the name of `path` says. */
export async function writeTimelines(loaded: readonly LoadedTimeline[], path: string): Promise<Outcome<null>> {
  if (/\.offload$/i.test(path)) return writePieces(path, traceContainer(loaded.map(named)));
  const [one] = loaded;
  if (one === undefined || loaded.length > 1)
    return fail({
      code: "TIMELINE_AMBIGUOUS",
      message: `${path} was not written.`,
      cause: `There are ${loaded.length} timelines, and this format holds one.`,
      nextStep: "Give a file with one timeline; the runs of a saved profile can be exported in the editor.",
    });
  const { timeline } = one;
  if (/\.csv$/i.test(path)) return writePieces(path, eventsCsv(timeline, timeline.events.startNs.keys()));
  return writePieces(path, chromeJson(timeline));
}

function named({ file, run, timeline, report }: LoadedTimeline): NamedTrace {
  return { fileName: run === null ? basename(file) : run, report: report ?? plainReport(timeline), timeline };
}
