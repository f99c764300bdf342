import * as vscode from "vscode";
import { isMigrationTarget, type Migration, type MigrationTarget } from "../../core/config/migrate/migration.js";
import { type MigrationChoice, migrationChoices } from "../../core/config/migrate/migrationChoices.js";
import { pinOf } from "../../core/config/veomni/detectLayout.js";
import { checkOptionsOf } from "../document/checkOptions.js";
import { rangeOf } from "../document/spans.js";
import type { Output } from "../output.js";
import { pickable, tell } from "../told.js";
import {
  activePreview,
  closePreview,
  type MigrationPreviews,
  migrationOf,
  readPreviewUri,
} from "./migrationPreview.js";

/** The command behind "Migrate to Another Layout…". */
export const MIGRATE_COMMAND = "offloadLens.migrate";

const ICONS: Readonly<Record<MigrationChoice["state"], string>> = {
  current: "$(check)",
  possible: "$(arrow-right)",
  refused: "$(circle-slash)",
};

/**
 * Converts a whole config: asks for the target, shows the difference, and applies it when asked to, as one edit that one undo
 * takes back.
 */
export class MigrateCommand {
  constructor(
    private readonly output: Output,
    private readonly previews: MigrationPreviews,
  ) {}

  /** `argument` may name the document and the target: `{uri, to}`; from menus comes a URI, from the palette nothing. */
  async run(argument: unknown): Promise<void> {
    const { uri, to } = readArgument(argument);
    const document =
      uri === undefined ? vscode.window.activeTextEditor?.document : await vscode.workspace.openTextDocument(uri);
    if (document === undefined) {
      tell("Open a config first.");
      return;
    }
    const target = to ?? (await this.#ask(document));
    const migration = target === undefined ? undefined : this.#plan(document, target);
    if (migration === undefined) return;
    this.#log(document, migration);
    await this.previews.show(document, migration);
  }

  /** Applies the migration of a preview, to the file as it is now; without an argument that of the active tab. */
  async apply(argument: unknown): Promise<void> {
    const preview = argument instanceof vscode.Uri ? argument : activePreview();
    const previewed = preview === undefined ? undefined : readPreviewUri(preview);
    if (preview === undefined || previewed === undefined) return;
    const document = await vscode.workspace.openTextDocument(previewed.uri);
    const migration = this.#plan(document, previewed.to);
    if (migration === undefined) return;
    const edit = new vscode.WorkspaceEdit();
    for (const { span, newText } of migration.edits) edit.replace(document.uri, rangeOf(document, span), newText);
    if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
      this.output.showProblem({
        code: "MIGRATION_NOT_APPLIED",
        message: `${vscode.workspace.asRelativePath(document.uri)} could not be edited.`,
        nextStep: "Check that the file is not read-only; nothing was changed.",
      });
      return;
    }
    await closePreview(preview);
    await vscode.window.showTextDocument(document);
    warnOfSetting(document, migration);
  }

  /** Closes a preview without applying it. */
  async discard(argument: unknown): Promise<void> {
    const preview = argument instanceof vscode.Uri ? argument : activePreview();
    if (preview !== undefined) await closePreview(preview);
  }

  async #ask(document: vscode.TextDocument): Promise<MigrationTarget | undefined> {
    const choices = migrationChoices(document.uri.path, document.getText(), checkOptionsOf(document).layout);
    if (choices.length === 0) {
      tell("This file is neither VeOmni's own training YAML nor a YAML file with verl's VeOmni engine.");
      return undefined;
    }
    const items = choices.map((choice) => ({
      label: `${ICONS[choice.state]} ${choice.name}`,
      description: choice.versions,
      detail: `${choice.to}: ${choice.description}`,
      choice,
    }));
    const chosen = await vscode.window.showQuickPick(pickable(items), {
      title: "Migrate to Another Layout",
      placeHolder: "Layout to convert the whole file to",
      matchOnDescription: true,
      matchOnDetail: true,
    });
    return chosen?.choice.to;
  }

  /** The migration, unless there is nothing to do or a reason against it; the user is told either. */
  #plan(document: vscode.TextDocument, to: MigrationTarget): Migration | undefined {
    const outcome = migrationOf(document, to);
    if (!outcome.ok) {
      this.output.showProblem(outcome.problem);
      return undefined;
    }
    if (outcome.value.edits.length > 0) return outcome.value;
    tell(`Nothing to migrate: every key has its place in ${to} already.`);
    return undefined;
  }

  /** What the difference does not show: why keys become comments and values change. */
  #log(document: vscode.TextDocument, { from, to, homeless, changed }: Migration): void {
    const { log } = this.output;
    log.info(`migration of ${vscode.workspace.asRelativePath(document.uri)} from ${from} to ${to}`);
    for (const { key, was, now, why } of changed) {
      log.info(`${key}: ${was === "" ? "default" : was} becomes ${now}. ${why}`);
    }
    for (const { key, why } of homeless) log.info(`${key}: no place in ${to}, becomes a comment. ${why}`);
  }
}

/** A layout that the settings pin would now be the wrong one. */
function warnOfSetting(document: vscode.TextDocument, { to, text }: Migration): void {
  const { layout } = checkOptionsOf(document);
  if (layout === undefined || layout === to || to === "verl" || pinOf(text) !== undefined) return;
  tell(`The setting offloadLens.layout still says ${layout}; set it to auto or ${to}, or the file is read wrongly.`);
}

function readArgument(argument: unknown): { readonly uri?: vscode.Uri; readonly to?: MigrationTarget } {
  if (argument instanceof vscode.Uri) return { uri: argument };
  if (typeof argument !== "object" || argument === null) return {};
  const { uri, to } = argument as { readonly uri?: unknown; readonly to?: unknown };
  return {
    ...(typeof uri === "string" ? { uri: vscode.Uri.parse(uri) } : {}),
    ...(typeof to === "string" && isMigrationTarget(to) ? { to } : {}),
  };
}
