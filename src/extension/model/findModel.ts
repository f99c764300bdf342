import { dirname, isAbsolute, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import * as vscode from "vscode";
import { fail, type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { asWritten, type HideProblem, hiding } from "../../core/modules/source/asWritten.js";
import { expandPath } from "../../core/modules/source/expandPath.js";
import { readModelId } from "../../core/modules/source/hubCache.js";
import { maxTreeFileBytes, type TreeRequest } from "../../core/modules/source/loadTree.js";
import { modelSourceOf } from "../../core/modules/source/modelSource.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import { modelPathSetting } from "../settings.js";

/** Where the module tree of a config comes from, and who says so. */
export interface FoundModel {
  readonly request: TreeRequest;
  /** For people: a path, or an id with where it was found. */
  readonly shown: string;
  /** For every problem with the request: the values of variables go. `TreeCache` and `modelConfigText` have done it. */
  readonly hide: HideProblem;
  readonly origin: "config" | "setting";
}

/** `problem` says why a model id that is written leads nowhere. */
export type ModelSearch =
  | { readonly kind: "found"; readonly model: FoundModel }
  | { readonly kind: "none"; readonly problem: Problem | undefined };

/**
 * Finds the model of a document: what its config names, else what the setting names. Each may be a directory, a config.json, a tree
 * file, or a model id, which is looked up in the Hugging Face cache and the catalogue, without any network. Relative paths count
 * from the workspace folder, as training scripts are started there, then from the folder of the file.
 */
export async function findModel(
  document: vscode.TextDocument | undefined,
  writtenPath: string | undefined,
): Promise<ModelSearch> {
  const places = placesOf(document);
  let problem: Problem | undefined;
  for (const [written, origin] of [
    [writtenPath, "config"],
    [modelPathSetting(document?.uri), "setting"],
  ] as const) {
    const found = await findOne(written?.trim() ?? "", places);
    if (found?.ok === true) return { kind: "found", model: { ...found.value, origin } };
    problem ??= found?.problem;
  }
  return { kind: "none", problem };
}

interface Places {
  readonly workspaceFolder: string | undefined;
  readonly fileFolder: string | undefined;
}

function placesOf(document: vscode.TextDocument | undefined): Places {
  const uri = document?.uri;
  const folder = (uri && vscode.workspace.getWorkspaceFolder(uri)) ?? vscode.workspace.workspaceFolders?.[0];
  return {
    workspaceFolder: folder?.uri.scheme === "file" ? folder.uri.fsPath : undefined,
    fileFolder: uri?.scheme === "file" ? dirname(uri.fsPath) : undefined,
  };
}

/** `undefined`: nothing is written, or a path that does not exist. */
async function findOne(written: string, places: Places): Promise<Outcome<Omit<FoundModel, "origin">> | undefined> {
  if (written === "") return undefined;
  // A function as replacement: a `$` in the folder's name means nothing.
  const inFolder = written.replace(/\$\{workspaceFolder\}/g, () => places.workspaceFolder ?? "");
  const expanded = expandPath(inFolder, process.env);
  if (!expanded.ok) return expanded;
  for (const path of candidatePaths(expanded.value, places)) {
    const info = await nodeFiles.info(path);
    if (!info.ok) continue;
    const hidden = expanded.value === inFolder ? [] : [path, expanded.value].map((text) => ({ text, shown: written }));
    const [hide, show] = [asWritten(hidden), hiding(hidden)];
    if (info.value.kind === "file") return succeed({ request: await fileRequest(path), shown: show(path), hide });
    const found = await modelSourceOf(nodeFiles, path, {}, (absolute) => absolute);
    return found.ok ? succeed({ ...found.value, shown: show(found.value.shown), hide }) : fail(hide(found.problem));
  }
  if (readModelId(expanded.value) === undefined) return undefined;
  return modelSourceOf(nodeFiles, inFolder, process.env, (path) => candidatePaths(path, places)[0] ?? path);
}

function candidatePaths(path: string, { workspaceFolder, fileFolder }: Places): readonly string[] {
  if (isAbsolute(path)) return [resolve(path)];
  return [workspaceFolder, fileFolder].flatMap((folder) => (folder === undefined ? [] : [join(folder, path)]));
}

/** The member that every tree file has, near enough to its start. */
const treeMember = '"named_modules"';
const sniffedBytes = 1024 * 1024;

async function fileRequest(path: string): Promise<TreeRequest> {
  const start = await nodeFiles.readBytes(path, 0, sniffedBytes);
  const isGzip = start.ok && start.value[0] === 0x1f && start.value[1] === 0x8b;
  const isTree = isGzip || (start.ok && Buffer.from(start.value).includes(treeMember));
  return isTree ? { kind: "tree-file", path, gunzip: gunzipBounded } : { kind: "config-json", path };
}

function gunzipBounded(bytes: Uint8Array): Outcome<Uint8Array> {
  try {
    return succeed(gunzipSync(bytes, { maxOutputLength: maxTreeFileBytes }));
  } catch (error) {
    const cause = error instanceof Error ? `${error.message}.` : "It is damaged.";
    const nextStep = "Write it again with the dump script.";
    return fail({ code: "TREE_FILE_NOT_JSON", message: "The module tree cannot be unpacked.", cause, nextStep });
  }
}
