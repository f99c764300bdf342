import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fail, type Outcome, type Problem, succeed } from "../core/base/outcome.js";
import { runTitle } from "../core/profile/runFigures.js";
import type { Timeline } from "../core/timeline/columns/columns.js";
import type { ImportReport } from "../core/timeline/columns/importReport.js";
import { CONTAINER_MAGIC } from "../core/timeline/container/container.js";
import { readContainer, type SavedProfile } from "../core/timeline/container/readContainer.js";
import { readTraceContainer } from "../core/timeline/container/readTraceContainer.js";
import { type NamedTrace, TRACE_CONTAINER_MAGIC } from "../core/timeline/container/traceContainer.js";
import type { ImportedTrace } from "../core/timeline/import/chrome/traceImporter.js";
import { folderNotes, withoutTraces } from "../core/timeline/import/folderNotes.js";
import { attempt, readRange } from "./nodeFiles.js";
import { type ReadTraceOptions, readTrace } from "./readTrace.js";
import { findTraces, kindOf } from "./traceFolder.js";

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

/** What an argument stands for. */
export interface ExpandedArgument {
  /** The file itself, or the traces of a folder in the order of the numbers in their names. */
  readonly files: readonly string[];
  /** What a folder holds besides; one sentence per kind. */
  readonly notes: readonly string[];
}

/** The files that an argument stands for. Fails with `FOLDER_WITHOUT_TRACES` where a folder has none, or where it cannot be read. */
export async function expandTraceArgument(
  file: string,
  path: string,
  signal?: AbortSignal,
): Promise<Outcome<ExpandedArgument>> {
  const found = await attempt(file, () => stat(path));
  if (!found.ok) return found;
  if (!found.value.isDirectory()) return succeed({ files: [file], notes: [] });
  const folder = await findTraces(file, path, signal);
  if (!folder.ok) return folder;
  const { traces } = folder.value;
  if (traces.length === 0) return fail(withoutTraces(file, folder.value));
  return succeed({ files: traces.map((name) => join(file, name)), notes: folderNotes(folder.value) });
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
    return trace.ok ? succeed({ kind: "trace", trace: trace.value }) : fail(await named(file, path, trace.problem));
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

/** What was refused as a trace is often another file of a profiler: then that is said. */
async function named(file: string, path: string, problem: Problem): Promise<Problem> {
  if (problem.code !== "TRACE_FOREIGN" && problem.code !== "FILE_NOT_UTF8") return problem;
  const kind = await kindOf(path, path);
  return kind.kind === "other" ? { ...problem, message: `${file} is ${kind.what}.`, nextStep: kind.nextStep } : problem;
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
