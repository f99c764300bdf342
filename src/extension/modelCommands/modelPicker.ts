import { homedir } from "node:os";
import { basename } from "node:path";
import * as vscode from "vscode";
import { hubCacheOf, readModelId } from "../../core/modules/source/hubCache.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import { analyse } from "../document/documentAnalysis.js";
import { modelPathFor } from "../document/subject.js";
import { findModel } from "../model/findModel.js";
import { chooseModelDirectory, storeModelPath } from "../model/modelDirectory.js";
import { modelPathSetting } from "../settings.js";
import { pickable, tell } from "../told.js";

/** What the quick pick offers; `act` stores a choice or asks further. */
interface ModelItem extends vscode.QuickPickItem {
  readonly act?: () => Promise<void>;
}

const mostFound = 100;

/**
 * "Choose Model…": a directory, a tree file or config.json, a model id, what the workspace and the Hugging Face cache hold. The choice
 * is stored in the settings and counts for every config whose own model is not on this machine. Another extension or a key binding
 * may pass the path or id.
 */
export async function chooseModel(given?: unknown): Promise<void> {
  if (typeof given === "string") return store(given);
  const items = await itemsToOffer();
  const chosen = await vscode.window.showQuickPick(pickable(items), {
    title: "Choose Model",
    placeHolder: "The model whose modules are shown for configs that name none on this machine",
    matchOnDescription: true,
  });
  await chosen?.act?.();
}

async function itemsToOffer(): Promise<ModelItem[]> {
  const [inWorkspace, cached] = await Promise.all([workspaceModels(), cachedModels()]);
  const setting = modelPathSetting(undefined);
  return [
    {
      label: "$(folder-opened) Directory…",
      description: "config.json and safetensors files",
      act: chooseModelDirectory,
    },
    { label: "$(file) File…", description: "a tree file or a config.json", act: chooseFile },
    { label: "$(symbol-string) Model Id…", description: "from the Hugging Face cache or the catalogue", act: askForId },
    ...(setting === ""
      ? []
      : [{ label: "$(discard) Forget the Choice", description: setting, act: () => storeModelPath("") }]),
    ...section("Workspace", inWorkspace),
    ...section("Hugging Face cache", cached),
  ];
}

function section(label: string, items: readonly ModelItem[]): readonly ModelItem[] {
  return items.length === 0 ? [] : [{ label, kind: vscode.QuickPickItemKind.Separator }, ...items];
}

/** Directories of the workspace that hold a config.json. */
async function workspaceModels(): Promise<readonly ModelItem[]> {
  const found = await vscode.workspace.findFiles("**/config.json", "**/node_modules/**", mostFound);
  return found
    .filter(({ scheme }) => scheme === "file")
    .map((uri) => {
      const directory = vscode.Uri.joinPath(uri, "..").fsPath;
      return {
        label: `$(package) ${basename(directory)}`,
        description: vscode.workspace.asRelativePath(directory),
        act: () => store(directory),
      };
    });
}

async function cachedModels(): Promise<readonly ModelItem[]> {
  const cache = hubCacheOf({ ...process.env, HOME: process.env.HOME ?? homedir() }, nodeFiles.join);
  const names = cache === undefined ? undefined : await nodeFiles.list(cache.directory);
  if (names?.ok !== true) return [];
  return names.value
    .filter((name) => name.startsWith("models--"))
    .map((name) => name.slice("models--".length).replace("--", "/"))
    .filter((id) => readModelId(id) !== undefined)
    .slice(0, mostFound)
    .map((id) => ({ label: `$(database) ${id}`, act: () => store(id) }));
}

async function chooseFile(): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const chosen = await vscode.window.showOpenDialog({
    title: "Tree file or config.json",
    openLabel: "Use This Model",
    filters: { "Model description": ["json", "gz"] },
    ...(folder === undefined ? {} : { defaultUri: folder.uri }),
  });
  const path = chosen?.[0]?.fsPath;
  if (path !== undefined) await store(path);
}

async function askForId(): Promise<void> {
  const id = await vscode.window.showInputBox({
    title: "Model Id",
    prompt:
      "Looked up in the Hugging Face cache of this machine, then in the built-in catalogue. Nothing is downloaded.",
    placeHolder: "Qwen/Qwen3-8B",
    validateInput: (text) =>
      readModelId(text.trim()) === undefined ? "An id is written organisation/name." : undefined,
  });
  if (id !== undefined) await store(id.trim());
}

async function store(model: string): Promise<void> {
  await storeModelPath(model);
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) return;
  const { settings } = await analyse(document);
  const written = modelPathFor(settings);
  const search = await findModel(document, written);
  if (search.kind !== "found" || search.model.origin !== "config") return;
  const name = basename(document.uri.path);
  tell(
    `Offload Lens: ${name} names a model of its own (${written}), which counts. The choice is for configs without one.`,
  );
}
