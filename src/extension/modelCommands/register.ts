import * as vscode from "vscode";
import { chooseModelDirectory } from "../model/modelDirectory.js";
import type { TreeCache } from "../model/treeCache.js";
import type { Output } from "../output.js";
import { ExactTreeCommand, openPythonSetting } from "./exactTreeCommand.js";
import { chooseModel } from "./modelPicker.js";

/** Registers how a model is chosen, and its exact tree from Python. */
export function registerModelCommands(extensionUri: vscode.Uri, trees: TreeCache, output: Output): vscode.Disposable {
  const places = {
    script: vscode.Uri.joinPath(extensionUri, "media", "python", "dump_modules.py").fsPath,
    cacheDirectory: trees.dumpDirectory,
  };
  const exactTree = new ExactTreeCommand(places, trees.exactTrees, output);
  return vscode.Disposable.from(
    exactTree,
    vscode.commands.registerCommand("offloadLens.chooseModel", chooseModel),
    vscode.commands.registerCommand("offloadLens.chooseModelDirectory", chooseModelDirectory),
    vscode.commands.registerCommand("offloadLens.buildExactTree", () => exactTree.run()),
    vscode.commands.registerCommand("offloadLens.openPythonSetting", openPythonSetting),
  );
}
