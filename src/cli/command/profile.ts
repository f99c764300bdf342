import { resolve } from "node:path";
import type { FileSource } from "../../core/base/files.js";
import { type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { visibleLine } from "../../core/base/visibleText.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import type { LeverTable } from "../../core/lever/leverTable.js";
import { type ProfiledConfig, profiledSubject, withLevers } from "../../core/lever/profileLevers.js";
import type { EnginePort } from "../../core/profile/childProcess.js";
import { readNamedModel } from "../../core/profile/namedModel.js";
import { resolveSettings } from "../../core/profile/offloadChoice.js";
import { type ProfileArguments, profileTable } from "../../core/profile/profileArguments.js";
import { suspectDriver } from "../../core/profile/profilerProblems.js";
import { startProfile } from "../../core/profile/profilerSession.js";
import type { ProfileProgress, ProfileRequest } from "../../core/profile/request.js";
import { configuredSettings } from "../../core/workload/configuredSettings.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import { asked, type CliCommand } from "../cliCommand.js";
import { type CliIo, ExitCode, REWRITE_LINE, say } from "../io.js";
import { leverLines } from "../report/leverLines.js";
import { problemText } from "../report/problemText.js";
import { formatReport } from "../report/profileReport.js";
import { linesOfText } from "../report/terminalText.js";
import { readJobConfig } from "./jobConfig.js";
import { profiledConfig, simulateLevers } from "./levers.js";
import { nodeProfilerPort, nodeSimulatorPort } from "./ports.js";

/** `offload-lens profile`: runs the engine in a process of its own and prints the report, or with `--json` its result. */
export function profile(args: string[], io: CliIo): Promise<number> {
  return profileWith(nodeFiles, nodeProfilerPort, args, io);
}

/** The same with given files and processes. */
export async function profileWith(
  files: FileSource,
  port: EnginePort,
  args: readonly string[],
  io: CliIo,
  simulatorPort: EnginePort = nodeSimulatorPort,
): Promise<number> {
  const line = asked(profileTable, args, io);
  if (!line.ok) return line.exitCode;
  const prepared = await prepare(files, line.request, io);
  if (!prepared.ok) return failed(io, prepared.problem);
  const { request, notes, profiled } = prepared.value;
  for (const note of notes) say(io, `${note}`);
  const levers = profiled && (await simulateLevers(simulatorPort, profiledSubject(profiled), io));
  if (levers?.ok === false) return failed(io, levers.problem);
  const found = levers && profiled && { table: levers.value, block: profiled.block };
  return run(port, request, line.request.json, io, found);
}

interface Prepared {
  readonly request: ProfileRequest;
  readonly notes: readonly string[];
  /** The config whose keys are tried, where that was asked for. */
  readonly profiled: ProfiledConfig | undefined;
}

/** What single keys would do, and to which run of the result it belongs. */
interface FoundLevers {
  readonly table: LeverTable;
  readonly block: OffloadSettings;
}

async function prepare(files: FileSource, profile: ProfileArguments, io: CliIo): Promise<Outcome<Prepared>> {
  const named = await readNamedModel(files, profile.model, io.env, (path) => resolve(io.cwd, path));
  if (!named.ok) return named;
  const config = profile.configPath === undefined ? undefined : await readJobConfig(files, profile.configPath, io);
  if (config?.ok === false) return config;
  const device = profile.settings.device ?? "auto";
  const configured = config && configuredSettings(profile.settings, config.value, device);
  if (configured?.ok === false) return configured;
  const given = configured?.value.settings ?? profile.settings;
  const resolved = resolveSettings(given, config?.value.blocks);
  if (!resolved.ok) return resolved;
  const { settings } = resolved.value;
  const notes = [...named.value.notes, ...resolved.value.notes, ...(configured?.value.notes ?? [])];
  const outPath = settings.outPath === undefined ? {} : { outPath: resolve(io.cwd, settings.outPath) };
  const { configJson } = named.value;
  const profiled = profile.levers && config !== undefined ? await profiledConfig(config.value, io) : undefined;
  if (profiled?.ok === false) return profiled;
  return succeed({
    request: { configJson, ...settings, ...outPath },
    notes,
    profiled: profiled && { ...profiled.value, configJson, given: profile.settings, device },
  });
}

async function run(
  port: EnginePort,
  request: ProfileRequest,
  json: boolean,
  io: CliIo,
  levers: FoundLevers | undefined,
): Promise<number> {
  const progressLine = new ProgressLine(io);
  const running = startProfile(port, request, (progress) => progressLine.show(progress));
  const stopListening = io.onInterrupt?.(() => running.cancel());
  const outcome = await running.outcome;
  stopListening?.();
  progressLine.clear();
  if (!outcome.ok) return failed(io, suspectDriver(outcome.problem, io.env, request.device));
  const { result, resultJson: ownJson, saveProblem } = outcome.value;
  const resultJson = levers === undefined ? ownJson : JSON.stringify(withLevers(result, levers.block, levers.table));
  // The run took minutes: its result is printed whether or not it could be saved.
  if (json) io.stdout(resultJson.endsWith("\n") ? resultJson : `${resultJson}\n`);
  else io.stdout(formatReport(result) + (levers === undefined ? "" : `\n${linesOfText(leverLines(levers.table))}\n`));
  if (saveProblem !== undefined) return failed(io, saveProblem);
  if (json) return ExitCode.fine;
  const saved =
    request.outPath === undefined
      ? "Not saved; --out FILE.offload keeps it with its timeline."
      : `Saved ${request.outPath}`;
  io.stdout(`${visibleLine(saved)}\n`);
  return ExitCode.fine;
}

function failed(io: CliIo, problem: Problem): number {
  io.stderr(`${problemText(problem)}\n`);
  return ExitCode.failed;
}

/** One line that is rewritten in place; nothing at all where stderr is not a terminal. */
class ProgressLine {
  #shown = false;

  constructor(private readonly io: CliIo) {}

  show(progress: ProfileProgress): void {
    if (this.io.isTty?.stderr !== true) return;
    const percent = String(Math.floor(progress.fraction * 100)).padStart(3);
    this.io.stderr(`${REWRITE_LINE}${percent} %  ${progress.message}`);
    this.#shown = true;
  }

  clear(): void {
    if (this.#shown) this.io.stderr(REWRITE_LINE);
  }
}

export const profileCommand: CliCommand = { table: profileTable, run: profile };
