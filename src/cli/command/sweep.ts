import { resolve } from "node:path";
import type { FileSource } from "../../core/base/files.js";
import { fail, type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { decodeUtf8 } from "../../core/base/utf8.js";
import { maxConfigLength } from "../../core/config/document/configDocument.js";
import { readConfig, settingsOf } from "../../core/config/readConfig.js";
import { choiceEdit, isWritable } from "../../core/config/write/choiceEdits.js";
import type { EnginePort } from "../../core/profile/childProcess.js";
import { readNamedModel } from "../../core/profile/namedModel.js";
import { Simulator } from "../../core/profile/simulator.js";
import { bestPoint } from "../../core/sweep/choose.js";
import { describePoint } from "../../core/sweep/explain.js";
import type { SweepGrid } from "../../core/sweep/grid.js";
import type { SweepPoint } from "../../core/sweep/points.js";
import { runSweep, type SweepResult } from "../../core/sweep/runSweep.js";
import { type SweepArguments, sweepTable } from "../../core/sweep/sweepArguments.js";
import { configuredSettings } from "../../core/workload/configuredSettings.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import { asked, type CliCommand } from "../cliCommand.js";
import { type CliIo, ExitCode, say } from "../io.js";
import { problemText } from "../report/problemText.js";
import { formatSweep } from "../report/sweepReport.js";
import { readJobConfig } from "./jobConfig.js";
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
  const result = outcome.value;
  io.stdout(line.request.json ? `${JSON.stringify(result)}\n` : formatSweep(result));
  for (const { code, message } of result.warnings) say(io, `${code}: ${message}`);
  if (line.request.writePath === undefined) return ExitCode.fine;
  const written = await writeChoice(files, resolve(io.cwd, line.request.writePath), result, io);
  return written.ok ? ExitCode.fine : failed(io, written.problem);
}

async function simulateAll(
  files: FileSource,
  port: EnginePort,
  { model, configPath, base: given, grid: asked, hasMicroBatches, writePath, named, budgetBytes, json }: SweepArguments,
  io: CliIo,
): Promise<Outcome<SweepResult>> {
  const read = await readNamedModel(files, model, io.env, (path) => resolve(io.cwd, path));
  if (!read.ok) return read;
  const { configJson, notes } = read.value;
  const configured = await configure(files, configPath, given, asked, hasMicroBatches, io);
  if (!configured.ok) return configured;
  const { base, grid, unsure } = configured.value;
  if (unsure !== undefined && writePath !== undefined) return fail(unsureChoice(unsure));
  for (const note of [...notes, ...configured.value.notes]) say(io, `${note}`);
  const simulator = new Simulator(port);
  let isCancelled = false;
  const stopListening = io.onInterrupt?.(() => {
    isCancelled = true;
    // Ends the request under way with its process, which may hang or be stopped.
    simulator.dispose();
  });
  const progress = new SweepProgress(io, port, json);
  try {
    return await runSweep(
      (request) => simulator.simulate(request),
      { ...base, device: deviceOf(base.device, io.cwd), configJson },
      grid,
      { budgetBytes, named },
      (done, total) => progress.show(done, total),
      () => isCancelled,
    );
  } finally {
    simulator.dispose();
    stopListening?.();
    progress.end();
  }
}

interface Configured {
  readonly base: SweepArguments["base"];
  readonly grid: SweepGrid;
  readonly notes: readonly string[];
  /** Why a choice may not be written. */
  readonly unsure: string | undefined;
}

/** The job of `--config`, over which flags win. */
async function configure(
  files: FileSource,
  configPath: string | undefined,
  base: SweepArguments["base"],
  grid: SweepGrid,
  hasMicroBatches: boolean,
  io: CliIo,
): Promise<Outcome<Configured>> {
  if (configPath === undefined) return succeed({ base, grid, notes: [], unsure: undefined });
  const config = await readJobConfig(files, configPath, io);
  if (!config.ok) return config;
  const microBatches = hasMicroBatches ? { microBatch: grid.microBatches[0] ?? 1 } : {};
  const configured = configuredSettings({ ...base, ...microBatches }, config.value, base.device);
  if (!configured.ok) return configured;
  const { settings, step, notes } = configured.value;
  const { microBatch = 1, ...members } = settings;
  return succeed({
    base: members,
    grid: hasMicroBatches ? grid : { ...grid, microBatches: [microBatch] },
    notes,
    unsure: step.unsure,
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
