import { dirname, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { readOffloadSettings } from "../core/config/offloadSettings.js";
import { loadTree, maxTreeFileBytes, type TreeRequest } from "../core/modules/loadTree.js";
import { selectModules } from "../core/modules/select.js";
import { describeProblem, fail, type Outcome, succeed } from "../core/outcome.js";
import { type CliIo, ExitCode } from "./io.js";
import { type MatchRequest, matchUsage, readMatchArguments } from "./matchArguments.js";
import { matchReport } from "./matchReport.js";
import { nodeFiles } from "./nodeFiles.js";

const maxConfigBytes = 16 * 1024 * 1024;

/** The list to apply and where the model is. */
interface MatchPlan {
  readonly patterns: readonly string[] | string;
  readonly source: TreeRequest;
}

/** `offload-lens match`: previews what a pattern list selects on a model. Returns the exit code. */
export async function match(args: string[], io: CliIo): Promise<number> {
  if (args.includes("--help")) {
    io.stdout(matchUsage);
    return ExitCode.fine;
  }
  const request = readMatchArguments(args);
  if (typeof request === "string") {
    io.stderr(`${request}\n${matchUsage}`);
    return ExitCode.wrongUsage;
  }
  const plan = await planOf(request, io);
  if (!plan.ok) return report(plan, io);
  const tree = await loadTree(nodeFiles, plan.value.source);
  if (!tree.ok) return report(tree, io);
  const result = selectModules(tree.value, plan.value.patterns);
  io.stdout(request.json ? `${JSON.stringify(result)}\n` : matchReport(result, tree.value, request.explain));
  return result.error === null ? ExitCode.fine : ExitCode.failed;
}

function report(failure: Outcome<unknown> & { readonly ok: false }, io: CliIo): number {
  io.stderr(`${describeProblem(failure.problem)}\n`);
  return ExitCode.failed;
}

async function planOf(request: MatchRequest, io: CliIo): Promise<Outcome<MatchPlan>> {
  const given = sourceOf(request, io);
  if (request.config === undefined) {
    return given === undefined
      ? fail(noModel("The command line"))
      : succeed({ patterns: request.patterns ?? [], source: given });
  }
  const path = resolve(io.cwd, request.config);
  const text = await readText(path);
  if (!text.ok) return text;
  const blocks = readOffloadSettings(path, text.value, io.env);
  const block = blocks.find((entry) => entry.patterns !== undefined) ?? blocks[0];
  if (block === undefined) return fail(noBlock(path));
  if (blocks.length > 1) io.stderr(`Using the block ${block.blockPath} of ${blocks.length} in ${path}.\n`);
  const source = given ?? (await sourceInConfig(block.modelPath, path, io));
  if (source === undefined) return fail(noModel(path));
  return succeed({ patterns: block.patterns ?? [], source });
}

function sourceOf(request: MatchRequest, io: CliIo): TreeRequest | undefined {
  if (request.model !== undefined) return { kind: "checkpoint", directory: resolve(io.cwd, request.model) };
  if (request.tree === undefined) return undefined;
  return { kind: "tree-file", path: resolve(io.cwd, request.tree), gunzip: gunzipBounded };
}

/** The training process resolves the path against its own directory; the config's directory is the second guess. */
async function sourceInConfig(
  modelPath: string | undefined,
  config: string,
  io: CliIo,
): Promise<TreeRequest | undefined> {
  if (modelPath === undefined) return undefined;
  const first = resolve(io.cwd, modelPath);
  const second = resolve(dirname(config), modelPath);
  const exists = (await nodeFiles.info(first)).ok;
  return { kind: "checkpoint", directory: exists || !(await nodeFiles.info(second)).ok ? first : second };
}

async function readText(path: string): Promise<Outcome<string>> {
  const info = await nodeFiles.info(path);
  if (!info.ok) return info;
  if (info.value.kind !== "file" || info.value.sizeBytes > maxConfigBytes) return fail(noBlock(path));
  const bytes = await nodeFiles.readBytes(path, 0, info.value.sizeBytes);
  return bytes.ok ? succeed(new TextDecoder().decode(bytes.value)) : bytes;
}

function gunzipBounded(bytes: Uint8Array): Outcome<Uint8Array> {
  try {
    return succeed(gunzipSync(bytes, { maxOutputLength: maxTreeFileBytes }));
  } catch {
    const message = "The module tree cannot be unpacked: it is damaged or larger than 256 MiB.";
    return fail({ code: "TREE_FILE_NOT_GZIP", message, nextStep: "Write it again with the dump script." });
  }
}

function noBlock(path: string) {
  return {
    code: "CONFIG_WITHOUT_ENGINE_BLOCK",
    message: `${path} holds no VeOmni engine block.`,
    nextStep: "Give a YAML file with an engine block, or give the patterns with --pattern.",
  };
}

function noModel(where: string) {
  return {
    code: "MODEL_PATH_UNKNOWN",
    message: `${where} does not say where the model is.`,
    nextStep: "Give --model DIR or --tree FILE.",
  };
}
