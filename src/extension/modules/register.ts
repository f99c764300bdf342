import * as vscode from "vscode";
import { MODULES_COMMANDS } from "../../core/modules/view/protocol.js";
import { blockAddress } from "../document/subject.js";
import type { TreeCache } from "../model/treeCache.js";
import type { Output } from "../output.js";
import { MODULES_VIEW, ModulesView } from "./modulesView.js";
import { SelectionDocuments } from "./selectionDocument.js";

/** Registers what shows the modules that a block selects: the Modules view with its commands, and the list as a document. */
export function registerModules(context: vscode.ExtensionContext, trees: TreeCache, output: Output): ModulesView {
  const view = new ModulesView(context.extensionUri, trees, output);
  const selections = new SelectionDocuments(trees);
  context.subscriptions.push(
    view,
    vscode.window.registerWebviewViewProvider(MODULES_VIEW, view, {
      webviewOptions: { retainContextWhenHidden: true },
    }),
    ...MODULES_COMMANDS.map((command) =>
      vscode.commands.registerCommand(`offloadLens.modules.${command}`, () => view.send(command)),
    ),
    selections,
    vscode.commands.registerCommand("offloadLens.showSelection", (address?: unknown) =>
      selections.show(blockAddress(address)),
    ),
  );
  return view;
}
