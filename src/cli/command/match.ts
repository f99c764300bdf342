import { resolve } from "node:path";
import { fail, type Outcome, succeed } from "../../core/base/outcome.js";
import { maxConfigLength } from "../../core/config/document/configDocument.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { readOffloadSettings } from "../../core/config/readConfig.js";
import { estimateSelection } from "../../core/modules/estimate/estimate.js";
import { defaultWorkload, type EstimateWorkload } from "../../core/modules/estimate/estimateWorkload.js";
import { selectModules } from "../../core/modules/selection/select.js";
import { withLora } from "../../core/modules/source/loraTree.js";
import type { ModuleTree } from "../../core/modules/tree.js";
import { patternsNotTexts } from "../../core/profile/offloadChoice.js";
import { jobStep, shareOfGpu } from "../../core/workload/jobStep.js";
import { asked, type CliCommand } from "../cliCommand.js";
import { type CliIo, ExitCode, say } from "../io.js";
import { matchReport } from "../report/matchReport.js";
import { problemText } from "../report/problemText.js";
import { readConfigFile } from "./configFiles.js";
import { type MatchRequest, matchTable } from "./matchArguments.js";
import { type ConfiguredModel, matchTree } from "./matchSource.js";

/** What a configuration file adds to the arguments. */
interface FromConfig {
  readonly patterns: readonly string[] | string;
  readonly model: ConfiguredModel | undefined;
  readonly workload: Partial<EstimateWorkload>;
}

/** `offload-lens match`: previews what a pattern list selects on a model. Returns the exit code. */
export async function match(args: string[], io: CliIo): Promise<number> {
  const line = asked(matchTable, args, io);
  if (!line.ok) return line.exitCode;
  const { request } = line;
  const configured = await fromConfig(request, io);
  if (!configured.ok) return report(configured, io);
  const loaded = await matchTree(request, configured.value.model, io);
  if (!loaded.ok) return report(loaded, io);
  const tree = request.lora ? withLora(loaded.value) : loaded.value;
  const result = selectModules(tree, configured.value.patterns);
  for (const sentence of unaskedNotes(tree, configured.value.patterns)) io.stderr(`Note: ${sentence}\n`);
  const workload = { ...defaultWorkload, ...configured.value.workload, ...request.workload };
  const estimate = request.explain ? estimateSelection(result, tree, workload) : undefined;
  const json = estimate === undefined ? result : { ...result, effects: estimate };
  io.stdout(request.json ? `${JSON.stringify(json)}\n` : matchReport(result, tree, estimate));
  return result.error === null ? ExitCode.fine : ExitCode.failed;
}

export const matchCommand: CliCommand = { table: matchTable, run: match };

/** What changes how the answer is to be read, and would be seen with --explain only. */
function unaskedNotes({ warnings, noSplitNote }: ModuleTree, patterns: readonly string[] | string): readonly string[] {
  const isAutomatic = patterns.length === 0 && noSplitNote !== undefined;
  return [...(warnings ?? []), ...(isAutomatic ? [noSplitNote] : [])];
}

function report(failure: Outcome<unknown> & { readonly ok: false }, io: CliIo): number {
  io.stderr(`${problemText(failure.problem)}\n`);
  return ExitCode.failed;
}

async function fromConfig(request: MatchRequest, io: CliIo): Promise<Outcome<FromConfig>> {
  if (request.config === undefined) {
    return succeed({ patterns: request.patterns ?? [], model: undefined, workload: {} });
  }
  const path = resolve(io.cwd, request.config);
  const text = await readConfigFile(request.config, path);
  if (!text.ok) return text;
  if (text.value.length > maxConfigLength) return fail(tooLong(request.config));
  const blocks = readOffloadSettings(path, text.value, io.env);
  const block = blocks.find((entry) => entry.patterns !== undefined || entry.patternsNotTexts === true) ?? blocks[0];
  if (block === undefined) return fail(noBlock(path));
  if (blocks.length > 1) say(io, `Using the block ${block.blockPath} of ${blocks.length} in ${path}.`);
  if (block.patternsNotTexts === true) return fail(patternsNotTexts(block.blockPath));
  const model = block.modelPath === undefined ? undefined : { path: block.modelPath, config: path };
  return succeed({ patterns: block.patterns ?? [], model, workload: workloadOf(block) });
}

function workloadOf(block: OffloadSettings): Partial<EstimateWorkload> {
  const { gradientCheckpointing, cacheLimitGb } = block;
  const step = jobStep({}, block);
  const { seqLen, microBatch } = shareOfGpu(step);
  return {
    ...(gradientCheckpointing === undefined ? {} : { gradientCheckpointing }),
    ...(step.seqLen.source === "config" ? { seqLen } : {}),
    ...(step.microBatch.source === "config" ? { microBatch } : {}),
    ...(cacheLimitGb === undefined ? {} : { cacheLimitGb }),
  };
}

function tooLong(shown: string) {
  return {
    code: "FILE_TOO_LARGE",
    message: `${shown} has more than ${maxConfigLength / 2 ** 20} Mi characters, which is more than a config can sensibly have.`,
    nextStep: "Check whether this is a config at all, or give the patterns with --pattern.",
  };
}

function noBlock(path: string) {
  return {
    code: "CONFIG_WITHOUT_ENGINE_BLOCK",
    message: `${path} holds no VeOmni engine block.`,
    nextStep: "Give a YAML file with an engine block, or give the patterns with --pattern.",
  };
}
