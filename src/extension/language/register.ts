import * as vscode from "vscode";
import { CONFIG_LANGUAGES, YAML } from "../document/configLanguages.js";
import type { TreeCache } from "../model/treeCache.js";
import type { Output } from "../output.js";
import { FixProvider } from "./codeActions.js";
import { OffloadLensProvider } from "./codeLens.js";
import { ConfigCompletion } from "./completion.js";
import { configDefinition } from "./definition.js";
import { registerDiagnostics } from "./diagnostics.js";
import { configFolding } from "./folding.js";
import { ConfigHover } from "./hover.js";
import { ConfigHints } from "./inlayHints.js";
import { LanguageStatus } from "./languageStatus.js";
import { MigrateActions } from "./migrateActions.js";
import { MIGRATE_COMMAND, MigrateCommand } from "./migrateCommand.js";
import { MigrationPreviews } from "./migrationPreview.js";
import { PatternDecorations } from "./patternDecorations.js";
import { PatternRename } from "./rename.js";
import { configSymbols } from "./symbols.js";

/** Registers what reads, checks and edits configs in the text editor. */
export function registerLanguage(trees: TreeCache, output: Output): vscode.Disposable {
  const lenses = new OffloadLensProvider(trees);
  return vscode.Disposable.from(
    registerDiagnostics(),
    vscode.languages.registerCodeActionsProvider(CONFIG_LANGUAGES, new FixProvider(), FixProvider.metadata),
    lenses,
    vscode.languages.registerCodeLensProvider(CONFIG_LANGUAGES, lenses),
    new LanguageStatus(),
    new PatternDecorations(trees),
    registerAssist(trees),
    registerMigration(output),
  );
}

/** What helps while a config is written and read. */
function registerAssist(trees: TreeCache): vscode.Disposable {
  const hints = new ConfigHints(trees);
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      YAML,
      new ConfigCompletion(trees),
      ...ConfigCompletion.triggerCharacters,
    ),
    vscode.languages.registerHoverProvider(CONFIG_LANGUAGES, new ConfigHover(trees)),
    hints,
    vscode.languages.registerInlayHintsProvider(YAML, hints),
    vscode.languages.registerDocumentSymbolProvider(YAML, configSymbols, { label: "Offload Lens" }),
    vscode.languages.registerFoldingRangeProvider(YAML, configFolding),
    vscode.languages.registerDefinitionProvider(YAML, configDefinition),
    vscode.languages.registerRenameProvider(CONFIG_LANGUAGES, new PatternRename()),
  );
}

/** The conversion of whole files between layouts. */
function registerMigration(output: Output): vscode.Disposable {
  const previews = new MigrationPreviews();
  const command = new MigrateCommand(output, previews);
  return vscode.Disposable.from(
    previews,
    vscode.commands.registerCommand(MIGRATE_COMMAND, (argument?: unknown) => command.run(argument)),
    vscode.commands.registerCommand("offloadLens.applyMigration", (argument?: unknown) => command.apply(argument)),
    vscode.commands.registerCommand("offloadLens.discardMigration", (argument?: unknown) => command.discard(argument)),
    vscode.languages.registerCodeActionsProvider(YAML, new MigrateActions(), MigrateActions.metadata),
  );
}
