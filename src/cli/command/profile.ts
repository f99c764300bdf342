import { resolve } from "node:path";
import type { FileSource } from "../../core/base/files.js";
import { fail, type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { decodeUtf8 } from "../../core/base/utf8.js";
import { visibleLine } from "../../core/base/visibleText.js";
import { maxConfigLength } from "../../core/config/document/configDocument.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { readOffloadSettings } from "../../core/config/readConfig.js";
import { readNamedModel } from "../../core/profile/namedModel.js";
import { resolveSettings } from "../../core/profile/offloadChoice.js";
import { type ProfileArguments, parseProfileArguments, RANGES } from "../../core/profile/profileArguments.js";
import { suspectDriver } from "../../core/profile/profilerProblems.js";
import { type ProfilerPort, startProfile } from "../../core/profile/profilerSession.js";
import type { ProfileProgress, ProfileRequest } from "../../core/profile/request.js";
import { STRATEGY_NAMES } from "../../core/profile/strategies.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import { type CliIo, ExitCode, REWRITE_LINE, say } from "../io.js";
import { flagText } from "../report/flagText.js";
import { problemText } from "../report/problemText.js";
import { formatReport } from "../report/profileReport.js";
import { shortMessage } from "../report/terminalText.js";
import { notUtf8 } from "./configFiles.js";
import { nodeProfilerPort } from "./profilerPort.js";

/** `offload-lens profile`: runs the engine in a process of its own and prints the report, or with `--json` its result. */
export function profile(args: string[], io: CliIo): Promise<number> {
  return profileWith(nodeFiles, nodeProfilerPort, args, io);
}

/** The same with given files and processes. */
export async function profileWith(
  files: FileSource,
  port: ProfilerPort,
  args: readonly string[],
  io: CliIo,
): Promise<number> {
  const parsed = parseProfileArguments(args);
  if (parsed.kind === "help") {
    io.stdout(HELP);
    return ExitCode.fine;
  }
  if (parsed.kind === "wrong") {
    io.stderr(`${shortMessage(parsed.message)}\nSee \`offload-lens profile --help\`.\n`);
    return ExitCode.wrongUsage;
  }
  const prepared = await prepare(files, parsed.profile, io);
  if (!prepared.ok) return failed(io, prepared.problem);
  const { request, notes } = prepared.value;
  for (const note of notes) say(io, `${note}`);
  return run(port, request, parsed.profile.json, io);
}

interface Prepared {
  readonly request: ProfileRequest;
  readonly notes: readonly string[];
}

async function prepare(files: FileSource, profile: ProfileArguments, io: CliIo): Promise<Outcome<Prepared>> {
  const named = await readNamedModel(files, profile.model, io.env, (path) => resolve(io.cwd, path));
  if (!named.ok) return named;
  const choices = await readChoices(files, profile.configPath, io);
  if (!choices.ok) return choices;
  const resolved = resolveSettings(profile.settings, choices.value);
  if (!resolved.ok) return resolved;
  const { settings } = resolved.value;
  const notes = [...named.value.notes, ...resolved.value.notes];
  const outPath = settings.outPath === undefined ? {} : { outPath: resolve(io.cwd, settings.outPath) };
  return succeed({ request: { configJson: named.value.configJson, ...settings, ...outPath }, notes });
}

async function readChoices(
  files: FileSource,
  configPath: string | undefined,
  io: CliIo,
): Promise<Outcome<readonly OffloadSettings[] | undefined>> {
  if (configPath === undefined) return succeed(undefined);
  const path = resolve(io.cwd, configPath);
  const info = await files.info(path);
  if (!info.ok) return info;
  if (info.value.sizeBytes > maxConfigLength) return fail(tooLong(path));
  const bytes = await files.readBytes(path, 0, info.value.sizeBytes);
  if (!bytes.ok) return bytes;
  const text = decodeUtf8(bytes.value);
  if (text === undefined) return fail(notUtf8(path));
  const choices = readOffloadSettings(path, text, io.env);
  if (choices.length > 0) return succeed(choices);
  return fail({
    code: "CONFIG_FOREIGN",
    message: `${path} has no VeOmni engine block.`,
    nextStep: "Give a verl config with actor_rollout_ref.actor.veomni, or an engine file, or leave --config out.",
  });
}

function tooLong(path: string): Problem {
  return {
    code: "FILE_TOO_LARGE",
    message: `${path} is larger than ${maxConfigLength} bytes and is not read.`,
    nextStep: "Check whether this is a config at all.",
  };
}

async function run(port: ProfilerPort, request: ProfileRequest, json: boolean, io: CliIo): Promise<number> {
  const progressLine = new ProgressLine(io);
  const running = startProfile(port, request, (progress) => progressLine.show(progress));
  const stopListening = io.onInterrupt?.(() => running.cancel());
  const outcome = await running.outcome;
  stopListening?.();
  progressLine.clear();
  if (!outcome.ok) return failed(io, suspectDriver(outcome.problem, io.env, request.device));
  const { result, resultJson } = outcome.value;
  if (json) {
    io.stdout(resultJson.endsWith("\n") ? resultJson : `${resultJson}\n`);
    return ExitCode.fine;
  }
  io.stdout(formatReport(result));
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

const HELP = `offload-lens profile: run the offload engine and measure.

Usage: offload-lens profile (--model DIR|ID | --config-json FILE) [options]

  --model DIR|ID         checkpoint directory, of which only config.json is read, or a model id that the Hugging
                         Face cache or the catalogue has; no network is used
  --config-json FILE     the config.json itself
  --config FILE          verl config: its strategy, patterns, cache limit and checkpointing become the defaults
  --device D             auto, cuda, cpu or sim:NAME (default auto: the first GPU that can be used, else the CPU)
${flagText("--strategy S...", `${STRATEGY_NAMES.join(", ")}, or all of them as \`all\` (default none and the config's)`)}
  --gc on|off|both       gradient checkpointing (default the config's, else on)
  --seq N[,N...]         tokens per sequence; several lengths take turns over the steps
                         (default 2048, on the CPU 256; at most ${RANGES["--seq"].most})
  --micro-batch N        sequences per step (default that of --config, else 1)
  --layers N             only the first N layers of the model
  --world-size N         on a simulated device: ranks of FSDP2 that share parameters and gradients (default 1)
  --sp N                 of them, ranks that share one sequence (default 1)
  --optimizer-bytes N    optimizer state per trained parameter, e.g. 8 for AdamW in fp32 (default none)
  --op-model NAME        which tensors a layer saves: hf-eager, or on a simulated device fused, hf-eager-fused,
                         gemma-eager, olmo2-eager, cohere-eager, layernorm-gelu, layernorm-gelu-new,
                         layernorm-relu or fused-layernorm-gelu (default that of the model's family)
  --pattern P...         activation_offload_modules (default the config's, else all decoder layers)
  --cache-limit-gb X     limit of the idle host pool in GiB, 0 keeps nothing (default the config's, else 4)
  --double-buffer-key K  which saved tensors verl_double_buffer copies once: layout (same storage, shape and
                         strides), or original for verl's own key, which mixes up layouts (default layout)
  --steps N              all steps; the first two are warm-up, one if N <= 3, none if N = 1 (default 5; a GPU
                         takes more until the median is stable to 0.5 %, at most 50 or 20 s of them)
  --poison               overwrite free device and host memory, so that a missing wait changes the gradients;
                         times then say nothing
  --out FILE.offload     save result and timeline; the editor opens it
  --json                 print the result as JSON (schema offload-profile/1)

Exit: 0 fine, 1 the run failed or was cancelled, 2 wrong usage.
`;
