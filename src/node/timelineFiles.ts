import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { fail, type Outcome, type Problem, succeed } from "../core/base/outcome.js";
import type { Timeline } from "../core/timeline/columns/columns.js";
import type { ImportReport } from "../core/timeline/columns/importReport.js";
import { CONTAINER_MAGIC } from "../core/timeline/container/container.js";
import { readContainer, type SavedProfile } from "../core/timeline/container/readContainer.js";
import { readTraceContainer } from "../core/timeline/container/readTraceContainer.js";
import { type NamedTrace, TRACE_CONTAINER_MAGIC } from "../core/timeline/container/traceContainer.js";
import type { ImportedTrace } from "../core/timeline/import/chrome/traceImporter.js";
import { runTitle } from "../core/timeline/metrics/runFigures.js";
import { attempt, readRange } from "./nodeFiles.js";
import { type ReadTraceOptions, readTrace } from "./readTrace.js";

/** One timeline of a file: a trace has one, a saved profile one per recorded run. */
export interface LoadedTimeline {
  /** As the user named it. */
  readonly file: string;
  /** Strategy of a run of a saved profile; null for traces. */
  readonly run: string | null;
  readonly timeline: Timeline;
  /** null for saved profiles. */
  readonly report: ImportReport | null;
}

/** Names of traces in a folder; anything else there is not looked at. */
const TRACE_NAME = /\.(pt\.)?trace\.json(\.gz|\.zst)?$/i;

/** The files that an argument stands for: itself, or the traces of a folder in order of their names. */
export async function expandTraceArgument(file: string, path: string): Promise<Outcome<readonly string[]>> {
  const found = await attempt(file, () => stat(path));
  if (!found.ok) return found;
  if (!found.value.isDirectory()) return succeed([file]);
  const listed = await attempt(file, () => readdir(path));
  if (!listed.ok) return listed;
  const names = listed.value.filter((name) => TRACE_NAME.test(name)).sort(byNumberInName);
  if (names.length > 0) return succeed(names.map((name) => join(file, name)));
  return fail({
    code: "FOLDER_WITHOUT_TRACES",
    message: `${file} holds no traces.`,
    cause: "No file in it is named *.trace.json, *.trace.json.gz or *.trace.json.zst.",
    nextStep: "Give the traces by name.",
  });
}

/** What a file holds: a saved profile, a trace as the one timeline that it is, or traces that were saved after an import. */
export type LoadedFile =
  | { readonly kind: "profile"; readonly saved: SavedProfile }
  | { readonly kind: "trace"; readonly trace: ImportedTrace }
  | { readonly kind: "savedTraces"; readonly traces: readonly NamedTrace[] };

/** A saved profile is read at once; a typed array can have so many bytes in every supported editor. */
const MAX_PROFILE_BYTES = 2 ** 31;

/** Reads a trace or a saved profile; `file` is what messages call it. */
export async function loadFile(file: string, path: string, options: ReadTraceOptions): Promise<Outcome<LoadedFile>> {
  const start = await attempt(file, () => readRange(path, 0, CONTAINER_MAGIC.length));
  if (!start.ok) return start;
  const magic = Buffer.from(start.value).toString("latin1");
  if (magic !== CONTAINER_MAGIC && magic !== TRACE_CONTAINER_MAGIC && !path.endsWith(".offload")) {
    const trace = await readTrace(path, options);
    return trace.ok ? succeed({ kind: "trace", trace: trace.value }) : trace;
  }
  const found = await attempt(file, () => stat(path));
  if (!found.ok) return found;
  if (found.value.size > MAX_PROFILE_BYTES) return fail(tooLarge(file, found.value.size));
  const bytes = await attempt(file, () => readRange(path, 0, MAX_PROFILE_BYTES));
  if (!bytes.ok) return bytes;
  if (magic === TRACE_CONTAINER_MAGIC) {
    const traces = readTraceContainer(bytes.value);
    return traces.ok ? succeed({ kind: "savedTraces", traces: traces.value }) : traces;
  }
  const saved = readContainer(bytes.value);
  return saved.ok ? succeed({ kind: "profile", saved: saved.value }) : saved;
}

/** The timelines of a file, one by one. */
export function timelinesOf(file: string, loaded: LoadedFile): LoadedTimeline[] {
  if (loaded.kind === "trace") return [{ file, run: null, ...loaded.trace }];
  if (loaded.kind === "savedTraces")
    return loaded.traces.map(({ fileName, ...trace }) => ({ file: fileName, run: null, ...trace }));
  const { result, timelines } = loaded.saved;
  return timelines.flatMap((timeline, at) => {
    const run = result.runs[at];
    return timeline === null || run === undefined ? [] : [{ file, run: runTitle(run), timeline, report: null }];
  });
}

function tooLarge(file: string, sizeBytes: number): Problem {
  return {
    code: "PROFILE_TOO_LARGE",
    message: `${file} is too large to open.`,
    cause: `It has ${sizeBytes} bytes; the limit is 2 GiB.`,
    nextStep: "Profile fewer layers or fewer strategies at once.",
  };
}

function byNumberInName(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
