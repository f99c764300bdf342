import { isAbsolute, join } from "node:path";
import * as vscode from "vscode";
import { type Outcome, succeed } from "../../core/base/outcome.js";
import { expandPath } from "../../core/modules/source/expandPath.js";
import { nodeFiles } from "../../node/nodeFiles.js";
import { inTime } from "../inTime.js";
import { pythonSetting } from "../settings.js";

export interface Interpreter {
  /** A path, or a name that is found through PATH. */
  readonly path: string;
  /** The same for people: as it is written where it holds variables. */
  readonly shown: string;
  readonly origin: "setting" | "Python extension" | "default";
}

const PYTHON_EXTENSION = "ms-python.python";
/** Its environments may be slow to find; the build must not hang on them. */
const LONGEST_ACTIVATION_MS = 10_000;
/** Where an environment keeps its interpreter, if the Python extension names a folder. */
const IN_ENVIRONMENT = ["bin/python", "bin/python3", "python.exe", "Scripts/python.exe"];

/**
 * The interpreter for a document: that of the setting, else the one that is selected in the Python extension, else `python3`.
 * Fails with `MODEL_PATH_VARIABLE_UNKNOWN` for a setting with a variable that is not set.
 */
export async function interpreterFor(uri: vscode.Uri | undefined): Promise<Outcome<Interpreter>> {
  const written = pythonSetting(uri);
  if (written !== "") return fromSetting(written, uri);
  const selected = await selectedInExtension(uri);
  if (selected !== undefined) return succeed({ path: selected, shown: selected, origin: "Python extension" });
  return succeed({ path: "python3", shown: "python3", origin: "default" });
}

function fromSetting(written: string, uri: vscode.Uri | undefined): Outcome<Interpreter> {
  const folder = (uri && vscode.workspace.getWorkspaceFolder(uri)) ?? vscode.workspace.workspaceFolders?.[0];
  const base = folder?.uri.scheme === "file" ? folder.uri.fsPath : "";
  // A function as replacement: a `$` in the folder's name means nothing.
  const inFolder = written.replace(/\$\{workspaceFolder\}/g, () => base);
  const expanded = expandPath(inFolder, process.env);
  if (!expanded.ok) return expanded;
  const isName = !/[\\/]/.test(expanded.value);
  const path = isName || isAbsolute(expanded.value) ? expanded.value : join(base, expanded.value);
  return succeed({ path, shown: expanded.value === inFolder ? path : written, origin: "setting" });
}

/** The part of the Python extension's exported API that is used here; everything in it may be absent. */
interface PythonApi {
  readonly environments?: {
    readonly getActiveEnvironmentPath?: (resource?: vscode.Uri) => { readonly path?: unknown } | undefined;
  };
}

async function selectedInExtension(uri: vscode.Uri | undefined): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi | undefined>(PYTHON_EXTENSION);
  if (extension === undefined) return undefined;
  try {
    const api = extension.isActive
      ? extension.exports
      : (await inTime(extension.activate(), LONGEST_ACTIVATION_MS))?.value;
    const path: unknown = api?.environments?.getActiveEnvironmentPath?.(uri)?.path;
    return typeof path === "string" && path !== "" ? await executableAt(path) : undefined;
  } catch {
    // Another extension's failure is no reason not to try the default.
    return undefined;
  }
}

/** The extension names an executable, a bare name, or the folder of an environment. */
async function executableAt(path: string): Promise<string | undefined> {
  if (!/[\\/]/.test(path)) return path;
  const found = await nodeFiles.info(path);
  if (found.ok && found.value.kind === "file") return path;
  for (const inside of IN_ENVIRONMENT) {
    const info = await nodeFiles.info(join(path, inside));
    if (info.ok && info.value.kind === "file") return join(path, inside);
  }
  return undefined;
}
