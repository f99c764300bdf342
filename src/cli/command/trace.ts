import { resolve } from "node:path";
import { fail, type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { counted } from "../../core/base/quantities.js";
import { visibleLine } from "../../core/base/visibleText.js";
import { asWritten } from "../../core/modules/source/asWritten.js";
import { findFindings } from "../../core/timeline/findings/findFindings.js";
import { compareTimelines } from "../../core/timeline/query/compare.js";
import { fileRemarks } from "../../core/timeline/query/fileRemarks.js";
import type { Finding } from "../../core/timeline/query/finding.js";
import { indexTimeline } from "../../core/timeline/query/indexedTimeline.js";
import { describeTrace, describeUnread, type TraceJson } from "../../core/timeline/traceJson.js";
import { expandTraceArgument, type LoadedTimeline, loadFile, timelinesOf } from "../../node/timelineFiles.js";
import { type Replacing, whyKept } from "../../node/writePieces.js";
import { asked, type CliCommand } from "../cliCommand.js";
import { type CliIo, ExitCode, say } from "../io.js";
import { problemText } from "../report/problemText.js";
import { formatComparison, formatImportReport, formatTrace } from "../report/traceReport.js";
import { type TraceRequest, traceTable } from "./traceArguments.js";
import { replacingExports, writeTimelines } from "./traceExport.js";

/** How often progress is said on a terminal. */
const PROGRESS_MS = 500;

/** `offload-lens trace`: imports traces and prints what the copies cost. Returns the exit code. */
export async function trace(args: string[], io: CliIo): Promise<number> {
  const line = asked(traceTable, args, io);
  if (!line.ok) return line.exitCode;
  const abort = new AbortController();
  const stopListening = io.onInterrupt?.(() => abort.abort());
  try {
    return await run(line.request, io, abort.signal);
  } finally {
    stopListening?.();
  }
}

export const traceCommand: CliCommand = { table: traceTable, run: trace };

async function run(request: TraceRequest, io: CliIo, signal: AbortSignal): Promise<number> {
  const printed: object[] = [];
  const kept: LoadedTimeline[] = [];
  let failed = false;
  let files = 0;
  let wasRead = false;
  for (const argument of request.files) {
    const expanded = await expandTraceArgument(argument, resolve(io.cwd, argument), signal);
    if (!expanded.ok) {
      failed = true;
      refuse(argument, expanded.problem, io, printed);
      continue;
    }
    const { files: found, notes } = expanded.value;
    for (const note of notes) io.stderr(`${argument}: ${note}\n`);
    if (request.out !== undefined && found.length !== 1) {
      say(io, `--out writes the timelines of one file; ${argument} holds ${counted(found.length, "trace")}.`);
      return ExitCode.wrongUsage;
    }
    const target = request.out === undefined ? undefined : targetOf(request.out, found, io);
    const why = target === undefined ? undefined : await whyKept(target.path, target.replacing);
    if (why !== undefined) {
      report(why, io);
      return ExitCode.failed;
    }
    for (const file of found) {
      files++;
      const loaded = await load(file, io, signal);
      if (!loaded.ok) {
        failed = true;
        refuse(file, loaded.problem, io, printed);
        continue;
      }
      wasRead = true;
      if (loaded.value.length === 0) printNone(file, request, io, printed);
      if (request.compare) kept.push(...loaded.value);
      else for (const one of loaded.value) failed = print(one, request, io, printed) || failed;
      if (target !== undefined) failed = (await write(loaded.value, target, io)) || failed;
    }
  }
  if (request.compare) return failed ? ExitCode.failed : compare(kept, request, io);
  const isLone = request.files.length === 1 && files <= 1 && printed.length <= 1;
  if (request.json && (!isLone || wasRead)) io.stdout(`${JSON.stringify(isLone ? printed[0] : printed)}\n`);
  return failed ? ExitCode.failed : ExitCode.fine;
}

/** Says what is wrong with a file, and keeps its place in the list. */
function refuse(file: string, problem: Problem, io: CliIo, printed: object[]): void {
  report(problem, io);
  printed.push(describeUnread(file, problem));
}

/** A saved profile may hold no timeline: whoever asked hears that, too. */
function printNone(file: string, { json, compare }: TraceRequest, io: CliIo, printed: object[]): void {
  const events = { total: 0, kept: 0, repaired: 0, overlapped: 0, dropped: 0 };
  const none: TraceJson = { file, rank: null, events, devices: [], findings: [] };
  if (json) printed.push(none);
  else if (!compare) io.stdout(`${visibleLine(file)}\n  no timelines\n`);
}

/** Prints one timeline, or keeps it for the list; true where `--check` fails. */
function print(loaded: LoadedTimeline, request: TraceRequest, io: CliIo, printed: object[]): boolean {
  const findings = findFindings(indexTimeline(loaded.timeline, 0, loaded.report));
  const described = describeTrace(loaded, loaded.timeline, loaded.report, findings);
  for (const remark of loaded.report === null ? [] : fileRemarks(loaded.report)) say(io, `${loaded.file}: ${remark}`);
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
  const path = resolve(io.cwd, file);
  const loaded = await loadFile(file, path, {
    signal,
    onProgress: ({ readBytes, ofBytes, events }) => {
      if (!isShown || Date.now() - saidAt < PROGRESS_MS) return;
      saidAt = Date.now();
      const share = ofBytes === null || ofBytes === 0 ? "" : `${Math.floor((readBytes / ofBytes) * 100)} %, `;
      say(io, `${file}: ${share}${counted(events, "event")}`);
    },
  });
  if (loaded.ok) return succeed(timelinesOf(file, loaded.value));
  return fail(asWritten([{ text: path, shown: file }])(loaded.problem));
}

interface Target {
  /** As the user wrote it. */
  readonly shown: string;
  readonly path: string;
  readonly replacing: Replacing;
}

function targetOf(out: string, inputs: readonly string[], io: CliIo): Target {
  const path = resolve(io.cwd, out);
  const read = inputs.map((input) => resolve(io.cwd, input));
  return { shown: out, path, replacing: replacingExports(path, read) };
}

async function write(loaded: readonly LoadedTimeline[], target: Target, io: CliIo): Promise<boolean> {
  const written = await writeTimelines(loaded, target.path, target.replacing);
  if (written.ok) {
    say(io, `Wrote ${target.shown}`);
    return false;
  }
  report(written.problem, io);
  return true;
}

function report(problem: Problem, io: CliIo): void {
  io.stderr(`${problemText(problem)}\n`);
}
