import { resolve } from "node:path";
import { describeProblem, type Outcome, type Problem, succeed } from "../core/outcome.js";
import { compareTimelines } from "../core/timeline/compare.js";
import type { Finding } from "../core/timeline/finding.js";
import { findFindings } from "../core/timeline/findings/findFindings.js";
import { indexTimeline } from "../core/timeline/indexedTimeline.js";
import { describeTrace, describeUnread } from "../core/timeline/traceJson.js";
import { expandTraceArgument, type LoadedTimeline, loadFile, timelinesOf } from "../node/timelineFiles.js";
import { type CliIo, ExitCode } from "./io.js";
import { readTraceArguments, type TraceRequest, traceUsage } from "./traceArguments.js";

import { formatComparison, formatImportReport, formatTrace } from "./traceReport.js";

/** How often progress is said on a terminal. */
const PROGRESS_MS = 500;

/** `offload-lens trace`: imports traces and prints what the copies cost. Returns the exit code. */
export async function trace(args: string[], io: CliIo): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    io.stdout(traceUsage);
    return ExitCode.fine;
  }
  const request = readTraceArguments(args);
  if (typeof request === "string") {
    io.stderr(`${request}\n${traceUsage}`);
    return ExitCode.wrongUsage;
  }
  const abort = new AbortController();
  const stopListening = io.onInterrupt?.(() => abort.abort());
  try {
    return await run(request, io, abort.signal);
  } finally {
    stopListening?.();
  }
}

async function run(request: TraceRequest, io: CliIo, signal: AbortSignal): Promise<number> {
  const printed: object[] = [];
  const kept: LoadedTimeline[] = [];
  let failed = false;
  let files = 0;
  let read = 0;
  for (const argument of request.files) {
    const expanded = await expandTraceArgument(argument, resolve(io.cwd, argument));
    if (!expanded.ok) {
      failed = true;
      refuse(argument, expanded.problem, io, printed);
      continue;
    }
    for (const file of expanded.value) {
      files++;
      const loaded = await load(file, io, signal);
      if (!loaded.ok) {
        failed = true;
        refuse(file, loaded.problem, io, printed);
        continue;
      }
      read += loaded.value.length;
      if (request.compare) kept.push(...loaded.value);
      else for (const one of loaded.value) failed = print(one, request, io, printed) || failed;
      if (request.out !== undefined) failed = (await write(loaded.value, request.out, io)) || failed;
    }
  }
  if (request.compare) return failed ? ExitCode.failed : compare(kept, request, io);
  const isLone = request.files.length === 1 && files <= 1 && printed.length <= 1;
  if (request.json && (!isLone || read > 0)) io.stdout(`${JSON.stringify(isLone ? printed[0] : printed)}\n`);
  return failed ? ExitCode.failed : ExitCode.fine;
}

/** Says what is wrong with a file, and keeps its place in the list. */
function refuse(file: string, problem: Problem, io: CliIo, printed: object[]): void {
  report(problem, io);
  printed.push(describeUnread(file, problem));
}

/** Prints one timeline, or keeps it for the list; true where `--check` fails. */
function print(loaded: LoadedTimeline, request: TraceRequest, io: CliIo, printed: object[]): boolean {
  const findings = findFindings(indexTimeline(loaded.timeline));
  const described = describeTrace(loaded, loaded.timeline, loaded.report, findings);
  if (loaded.report?.isTruncated === true)
    io.stderr(`${loaded.file} is cut off; the figures are those of the part that is there.\n`);
  if (request.json) printed.push(request.report ? { ...described, report: loaded.report } : described);
  else {
    io.stdout(formatTrace(described));
    if (request.report && loaded.report !== null) io.stdout(formatImportReport(loaded.report));
  }
  return request.check && findings.some(isError);
}

function isError(finding: Finding): boolean {
  return finding.severity === "error";
}

function compare(kept: readonly LoadedTimeline[], request: TraceRequest, io: CliIo): number {
  const [before, after] = kept;
  if (before === undefined || after === undefined || kept.length !== 2) {
    io.stderr("--compare needs one timeline per file; a saved profile with several runs is compared in the editor.\n");
    return ExitCode.wrongUsage;
  }
  const titles = { a: titleOf(before), b: titleOf(after) };
  const comparison = compareTimelines(indexTimeline(before.timeline), indexTimeline(after.timeline), titles);
  io.stdout(request.json ? `${JSON.stringify(comparison)}\n` : formatComparison(comparison));
  return ExitCode.fine;
}

function titleOf({ file, run }: LoadedTimeline): string {
  return run === null ? file : `${file}: ${run}`;
}

async function load(file: string, io: CliIo, signal: AbortSignal): Promise<Outcome<LoadedTimeline[]>> {
  let saidAt = Date.now();
  const isShown = io.isTty?.stderr === true;
  const loaded = await loadFile(file, resolve(io.cwd, file), {
    signal,
    onProgress: ({ readBytes, ofBytes, events }) => {
      if (!isShown || Date.now() - saidAt < PROGRESS_MS) return;
      saidAt = Date.now();
      const share = ofBytes === null || ofBytes === 0 ? "" : `${Math.floor((readBytes / ofBytes) * 100)} %, `;
      io.stderr(`${file}: ${share}${events} events\n`);
    },
  });
  return loaded.ok ? succeed(timelinesOf(file, loaded.value)) : loaded;
}

async function write(loaded: readonly LoadedTimeline[], out: string, io: CliIo): Promise<boolean> {
  const { writeTimelines } = await import("./traceExport.js");
  const written = await writeTimelines(loaded, resolve(io.cwd, out));
  if (written.ok) {
    io.stderr(`Wrote ${out}\n`);
    return false;
  }
  report(written.problem, io);
  return true;
}

function report(problem: Problem, io: CliIo): void {
  io.stderr(`${describeProblem(problem)}\n`);
}
