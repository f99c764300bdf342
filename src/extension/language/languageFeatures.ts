import * as vscode from "vscode";
import type { TreeCache } from "../model/treeCache.js";
import { ConfigCompletion } from "./completion.js";
import { configDefinition } from "./definition.js";
import { configFolding } from "./folding.js";
import { ConfigHover } from "./hover.js";
import { ConfigHints } from "./inlayHints.js";
import { PatternRename } from "./rename.js";
import { configSymbols } from "./symbols.js";

const YAML: vscode.DocumentSelector = { language: "yaml" };
const WITH_SCRIPTS: vscode.DocumentSelector = ["yaml", "shellscript", "markdown"].map((language) => ({ language }));

/** Registers what helps while a config is written and read. */
export function registerEditing(trees: TreeCache): vscode.Disposable {
  const hints = new ConfigHints(trees);
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      YAML,
      new ConfigCompletion(trees),
      ...ConfigCompletion.triggerCharacters,
    ),
    vscode.languages.registerHoverProvider(WITH_SCRIPTS, new ConfigHover(trees)),
    hints,
    vscode.languages.registerInlayHintsProvider(YAML, hints),
    vscode.languages.registerDocumentSymbolProvider(YAML, configSymbols, { label: "Offload Lens" }),
    vscode.languages.registerFoldingRangeProvider(YAML, configFolding),
    vscode.languages.registerDefinitionProvider(YAML, configDefinition),
    vscode.languages.registerRenameProvider(WITH_SCRIPTS, new PatternRename()),
  );
}
