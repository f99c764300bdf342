import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fail, type Outcome, type Problem, succeed } from "../core/base/outcome.js";
import { runTitle } from "../core/profile/runFigures.js";
import type { Timeline } from "../core/timeline/columns/columns.js";
import type { ImportReport } from "../core/timeline/columns/importReport.js";
import { folderNotes, withoutTraces } from "../core/timeline/import/folderNotes.js";
import { wholeFormatOf } from "../core/timeline/import/recogniseFormat.js";
import type { ImportedFile } from "../core/timeline/import/traceFormat.js";
import { RAW_HEAD_BYTES } from "./fileHead.js";
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

/** A saved profile is read at once; a typed array can have so many bytes in every supported editor. */
const MAX_PROFILE_BYTES = 2 ** 31;

/** Reads a file of any format that is known (import/registry.ts); `file` is what messages call it. */
export async function loadFile(file: string, path: string, options: ReadTraceOptions): Promise<Outcome<ImportedFile>> {
  const start = await attempt(file, () => readRange(path, 0, RAW_HEAD_BYTES));
  if (!start.ok) return start;
  const format = wholeFormatOf(path, { bytes: start.value, isWhole: start.value.length < RAW_HEAD_BYTES });
  if (format === undefined) {
    const trace = await readTrace(path, options);
    return trace.ok ? succeed({ kind: "trace", trace: trace.value }) : fail(await named(file, path, trace.problem));
  }
  const found = await attempt(file, () => stat(path));
  if (!found.ok) return found;
  if (found.value.size > MAX_PROFILE_BYTES) return fail(tooLarge(file, found.value.size));
  const bytes = await attempt(file, () => readRange(path, 0, MAX_PROFILE_BYTES));
  return bytes.ok ? format.read(bytes.value) : bytes;
}

/** What was refused as a trace is often another file of a profiler: then that is said. */
async function named(file: string, path: string, problem: Problem): Promise<Problem> {
  if (problem.code !== "TRACE_FOREIGN" && problem.code !== "FILE_NOT_UTF8") return problem;
  const kind = await kindOf(path, path);
  return kind.kind === "other" ? { ...problem, message: `${file} is ${kind.what}.`, nextStep: kind.nextStep } : problem;
}

/** The timelines of a file, one by one. */
export function timelinesOf(file: string, loaded: ImportedFile): LoadedTimeline[] {
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
