import * as vscode from "vscode";
import type { Output } from "../output.js";
import { MigrateActions } from "./migrateActions.js";
import { MIGRATE_COMMAND, MigrateCommand } from "./migrateCommand.js";
import { MigrationPreviews } from "./migrationPreview.js";

/** Registers the conversion of whole files between layouts. */
export function registerMigration(output: Output): vscode.Disposable {
  const previews = new MigrationPreviews();
  const command = new MigrateCommand(output, previews);
  return vscode.Disposable.from(
    previews,
    vscode.commands.registerCommand(MIGRATE_COMMAND, (argument?: unknown) => command.run(argument)),
    vscode.commands.registerCommand("offloadLens.applyMigration", (argument?: unknown) => command.apply(argument)),
    vscode.commands.registerCommand("offloadLens.discardMigration", (argument?: unknown) => command.discard(argument)),
    vscode.languages.registerCodeActionsProvider({ language: "yaml" }, new MigrateActions(), MigrateActions.metadata),
  );
}
