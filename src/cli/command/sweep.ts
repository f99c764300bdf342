import { resolve } from "node:path";
import type { FileSource } from "../../core/base/files.js";
import { given } from "../../core/base/flags.js";
import { fail, type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { decodeUtf8 } from "../../core/base/utf8.js";
import { maxConfigLength } from "../../core/config/document/configDocument.js";
import { readConfig, settingsOf } from "../../core/config/readConfig.js";
import { choiceEdit, isWritable } from "../../core/config/write/choiceEdits.js";
import type { LeverTable } from "../../core/lever/leverTable.js";
import { profiledSubject, runLeversOf } from "../../core/lever/profileLevers.js";
import { type LeverSubject, runLevers } from "../../core/lever/runLevers.js";
import type { EnginePort } from "../../core/profile/childProcess.js";
import { readNamedModel } from "../../core/profile/namedModel.js";
import { Simulator } from "../../core/profile/simulator.js";
import { bestPoint } from "../../core/sweep/choose.js";
import { describePoint } from "../../core/sweep/explain.js";
import { type FitJob, type Fits, runFits } from "../../core/sweep/fits.js";
import type { SweepGrid } from "../../core/sweep/grid.js";
import type { SweepPoint } from "../../core/sweep/points.js";
import { runSweep, type Simulate, type SweepResult } from "../../core/sweep/runSweep.js";
import { type SweepArguments, sweepTable } from "../../core/sweep/sweepArguments.js";
import { configuredSettings } from "../../core/workload/configuredSettings.js";
import type { JobStep } from "../../core/workload/jobStep.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import { asked, type CliCommand } from "../cliCommand.js";
import { type CliIo, ExitCode, say } from "../io.js";
import { fitLines } from "../report/fitLines.js";
import { leverLines } from "../report/leverLines.js";
import { problemText } from "../report/problemText.js";
import { formatSweep } from "../report/sweepReport.js";
import { linesOfText } from "../report/terminalText.js";
import { blockOf, type JobConfig, readJobConfig } from "./jobConfig.js";
import { profiledConfig } from "./levers.js";
import { nodeSimulatorPort } from "./ports.js";
import { replaceFile } from "./replaceFile.js";
import { SweepProgress } from "./sweepProgress.js";

/** `offload-lens sweep`: simulates a grid of settings and says which to choose. */
export function sweep(args: string[], io: CliIo): Promise<number> {
  return sweepWith(nodeFiles, nodeSimulatorPort, args, io);
}

/** The same with given files and processes. */
export async function sweepWith(
  files: FileSource,
  port: EnginePort,
  args: readonly string[],
  io: CliIo,
): Promise<number> {
  const line = asked(sweepTable, args, io);
  if (!line.ok) return line.exitCode;
  const outcome = await simulateAll(files, port, line.request, io);
  if (!outcome.ok) return failed(io, outcome.problem);
  const { result, fits, levers } = outcome.value;
  const found = { ...given("fits", fits), ...given("levers", levers && runLeversOf(levers)) };
  io.stdout(line.request.json ? `${JSON.stringify({ ...result, ...found })}\n` : formatSweep(result));
  if (!line.request.json) {
    if (fits !== undefined) io.stdout(`\n${linesOfText(fitLines(fits))}\n`);
    if (levers !== undefined) io.stdout(`\n${linesOfText(leverLines(levers))}\n`);
  }
  for (const { code, message } of result.warnings) say(io, `${code}: ${message}`);
  if (line.request.writePath === undefined) return ExitCode.fine;
  const written = await writeChoice(files, resolve(io.cwd, line.request.writePath), result, io);
  return written.ok ? ExitCode.fine : failed(io, written.problem);
}

interface Simulated {
  readonly result: SweepResult;
  /** What of the config's job fits the budget. */
  readonly fits: Fits | undefined;
  readonly levers: LeverTable | undefined;
}

async function simulateAll(
  files: FileSource,
  port: EnginePort,
  request: SweepArguments,
  io: CliIo,
): Promise<Outcome<Simulated>> {
  const { model, writePath, named, budgetBytes, json } = request;
  const read = await readNamedModel(files, model, io.env, (path) => resolve(io.cwd, path));
  if (!read.ok) return read;
  const { configJson, notes } = read.value;
  const configured = await configure(files, request, io);
  if (!configured.ok) return configured;
  const { base, grid, unsure } = configured.value;
  if (unsure !== undefined && writePath !== undefined) return fail(unsureChoice(unsure));
  const subject = await leverSubject(request, configured.value, configJson, io);
  if (!subject.ok) return subject;
  const fitJob = fitJobOf(request, configured.value, configJson, io);
  for (const note of [...notes, ...configured.value.notes]) say(io, `${note}`);
  const simulator = new Simulator(port);
  let isCancelled = false;
  const stopListening = io.onInterrupt?.(() => {
    isCancelled = true;
    // Ends the request under way with its process, which may hang or be stopped.
    simulator.dispose();
  });
  const progress = new SweepProgress(io, port, json);
  const simulate: Simulate = (each) => simulator.simulate(each);
  const cancelled = () => isCancelled;
  try {
    const result = await runSweep(
      simulate,
      { ...base, device: deviceOf(base.device, io.cwd), configJson },
      grid,
      { budgetBytes, named },
      (done, total) => progress.show(done, total),
      cancelled,
    );
    if (!result.ok) return result;
    const fits =
      fitJob && budgetBytes !== undefined ? await runFits(simulate, fitJob, budgetBytes, cancelled) : undefined;
    if (fits?.ok === false) return fits;
    const levers = subject.value && (await runLevers(simulate, subject.value, cancelled));
    if (levers?.ok === false) return levers;
    return succeed({ result: result.value, fits: fits?.value, levers: levers?.value });
  } finally {
    simulator.dispose();
    stopListening?.();
    progress.end();
  }
}

/** The config's own step as the subject of levers, where they are asked for. */
async function leverSubject(
  { levers, base, grid, hasMicroBatches }: SweepArguments,
  { config }: Configured,
  configJson: string,
  io: CliIo,
): Promise<Outcome<LeverSubject | undefined>> {
  if (!levers || config === undefined) return succeed(undefined);
  const profiled = await profiledConfig(config, io);
  if (!profiled.ok) return profiled;
  const { device, ...flags } = base;
  const microBatch = hasMicroBatches ? grid.microBatches[0] : undefined;
  const wanted = { ...flags, ...given("microBatch", microBatch), steps: LEVER_STEPS };
  return succeed(profiledSubject({ ...profiled.value, configJson, given: wanted, device: deviceOf(device, io.cwd) }));
}

/** Enough for one measured step behind one that allocates the pinned memory. */
const LEVER_STEPS = 2;

/** The config's job, where it is asked what of it fits; of a stack alone that would be wrong by all that it leaves out. */
function fitJobOf(
  { budgetBytes, grid: { checkpointing } }: SweepArguments,
  { base, grid, config, step, stackOnly }: Configured,
  configJson: string,
  io: CliIo,
): FitJob | undefined {
  if (budgetBytes === undefined || config === undefined || step === undefined) return undefined;
  if (stackOnly !== undefined) {
    say(io, `What else fits is not said, because only the stack is simulated: ${stackOnly}.`);
    return undefined;
  }
  const block = blockOf(config);
  return {
    base: { ...base, device: deviceOf(base.device, io.cwd), configJson },
    microBatch: grid.microBatches[0] ?? 1,
    isPacked: step.isPacked,
    gradientCheckpointing: checkpointing === "both" ? (block?.gradientCheckpointing ?? true) : checkpointing === "on",
    patterns: Array.isArray(block?.patterns) ? block.patterns : [],
    cacheLimitGb: block?.cacheLimitGb ?? grid.cacheLimitsGb[0] ?? 4,
    canOffload: block !== undefined,
  };
}

interface Configured {
  readonly base: SweepArguments["base"];
  readonly grid: SweepGrid;
  readonly notes: readonly string[];
  /** Why a choice may not be written. */
  readonly unsure: string | undefined;
  /** The config and its step; absent without one. */
  readonly config?: JobConfig;
  readonly step?: JobStep;
  readonly stackOnly?: string | undefined;
}

/** The job of `--config`, over which flags win. */
async function configure(
  files: FileSource,
  { configPath, base, grid, hasMicroBatches }: SweepArguments,
  io: CliIo,
): Promise<Outcome<Configured>> {
  if (configPath === undefined) return succeed({ base, grid, notes: [], unsure: undefined });
  const config = await readJobConfig(files, configPath, io);
  if (!config.ok) return config;
  const microBatches = hasMicroBatches ? { microBatch: grid.microBatches[0] ?? 1 } : {};
  const configured = configuredSettings({ ...base, ...microBatches }, config.value, base.device);
  if (!configured.ok) return configured;
  const { settings, step, scope, notes } = configured.value;
  const { microBatch = 1, ...members } = settings;
  return succeed({
    base: members,
    grid: hasMicroBatches ? grid : { ...grid, microBatches: [microBatch] },
    notes,
    unsure: step.unsure,
    config: config.value,
    step,
    stackOnly: scope.stackOnly,
  });
}

function unsureChoice(why: string): Problem {
  return {
    code: "WORKLOAD_UNKNOWN",
    message: "No choice is written: the step of the config is not known.",
    cause: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    nextStep: "Give --seq and --world-size, or leave --write out.",
  };
}

/** A profile file is named from where the command was given. */
function deviceOf(device: string, cwd: string): string {
  const name = device.slice("sim:".length);
  return name.endsWith(".json") ? `sim:${resolve(cwd, name)}` : device;
}

async function writeChoice(
  files: FileSource,
  path: string,
  { points }: SweepResult,
  io: CliIo,
): Promise<Outcome<undefined>> {
  const writable: readonly SweepPoint[] = points.filter(isWritable);
  const choice = writable[bestPoint(writable) ?? -1];
  if (choice === undefined) return fail(nothingFits);
  const text = await readText(files, path);
  if (!text.ok) return text;
  const read = readConfig(path, text.value);
  const blocks = read === undefined ? [] : settingsOf(read, io.env);
  const block = blocks.find((candidate) => candidate.enabled === true) ?? blocks[0];
  const edited = choiceEdit(path, read, block?.blockPath ?? "", choice);
  if (!edited.ok) return edited;
  const { edit, notes } = edited.value;
  const after = text.value.slice(0, edit.span.start) + edit.newText + text.value.slice(edit.span.end);
  if (after !== text.value) {
    const replaced = await replaceFile(path, path, text.value, after);
    if (!replaced.ok) return replaced;
  }
  say(io, `${after === text.value ? `${path} says this already` : `Wrote ${path}`}: ${describePoint(choice)}.`);
  for (const note of notes) say(io, `${note}`);
  return succeed(undefined);
}

async function readText(files: FileSource, path: string): Promise<Outcome<string>> {
  const info = await files.info(path);
  if (!info.ok) return info;
  if (info.value.sizeBytes > maxConfigLength)
    return fail(unreadable(path, `It is larger than ${maxConfigLength} bytes.`));
  const bytes = await files.readBytes(path, 0, info.value.sizeBytes);
  if (!bytes.ok) return bytes;
  const text = decodeUtf8(bytes.value);
  return text === undefined ? fail(unreadable(path, "It is not UTF-8.")) : succeed(text);
}

function unreadable(path: string, cause: string): Problem {
  return {
    code: "CONFIG_UNREADABLE",
    message: `${path} is not read.`,
    cause,
    nextStep: "Check that this is the config.",
  };
}

const nothingFits: Problem = {
  code: "SWEEP_NOTHING_FITS",
  message: "No point that a VeOmni configuration can say fits the budget.",
  nextStep: "Raise --memory-gib, use more ranks (--world-size), or shorter sequences.",
};

function failed(io: CliIo, problem: Problem): number {
  io.stderr(`${problemText(problem)}\n`);
  return ExitCode.failed;
}

export const sweepCommand: CliCommand = { table: sweepTable, run: sweep };
