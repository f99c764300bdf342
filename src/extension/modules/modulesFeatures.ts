import * as vscode from "vscode";
import { MODULES_COMMANDS } from "../../core/modules/view/protocol.js";
import { PatternDecorations } from "../language/patternDecorations.js";
import { ExactTreeCommand, openPythonSetting } from "../model/exactTreeCommand.js";
import { chooseModel } from "../model/modelPicker.js";
import type { TreeCache } from "../model/treeCache.js";
import type { Output } from "../output.js";
import { MODULES_VIEW, ModulesView } from "./modulesView.js";

/** Registers the Modules view with its commands, the model picker, trees from Python, and the marks on patterns that do nothing. */
export function registerModules(context: vscode.ExtensionContext, trees: TreeCache, output: Output): ModulesView {
  const view = new ModulesView(context.extensionUri, trees, output);
  const places = {
    script: vscode.Uri.joinPath(context.extensionUri, "media", "python", "dump_modules.py").fsPath,
    cacheDirectory: trees.dumpDirectory,
  };
  const exactTree = new ExactTreeCommand(places, trees.exactTrees, output);
  context.subscriptions.push(
    view,
    exactTree,
    vscode.commands.registerCommand("offloadLens.buildExactTree", () => exactTree.run()),
    vscode.commands.registerCommand("offloadLens.openPythonSetting", openPythonSetting),
    new PatternDecorations(trees),
    vscode.window.registerWebviewViewProvider(MODULES_VIEW, view, {
      webviewOptions: { retainContextWhenHidden: true },
    }),
    vscode.commands.registerCommand("offloadLens.chooseModel", chooseModel),
    ...MODULES_COMMANDS.map((command) =>
      vscode.commands.registerCommand(`offloadLens.modules.${command}`, () => view.send(command)),
    ),
  );
  return view;
}
