import { posix } from "node:path";
import * as vscode from "vscode";
import { describeProblem, type Outcome } from "../../core/base/outcome.js";
import { migrateDocument } from "../../core/config/migrate/migrateDocument.js";
import { isMigrationTarget, type Migration, type MigrationTarget } from "../../core/config/migrate/migration.js";
import { checkOptionsOf } from "../document/checkOptions.js";

/** Scheme of the documents that show a file as it would be after its migration. */
export const PREVIEW_SCHEME = "offload-lens-migration";

/** A migration that is looked at: of which document, and where to. */
export interface PreviewedMigration {
  readonly uri: vscode.Uri;
  readonly to: MigrationTarget;
}

/** The migration of a document as it is now, in the layout that file or settings give it. */
export function migrationOf(document: vscode.TextDocument, to: MigrationTarget): Outcome<Migration> {
  const { layout } = checkOptionsOf(document);
  return migrateDocument(document.uri.path, document.getText(), to, layout === undefined ? {} : { layout });
}

/** The right half of the difference view: the file after its migration, which follows the file while that is edited. */
export class MigrationPreviews implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registrations: vscode.Disposable;

  constructor() {
    this.#registrations = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(PREVIEW_SCHEME, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#refresh(document)),
    );
  }

  /** Shows what a migration changes, beside nothing else: left the file, right the result. */
  async show(document: vscode.TextDocument, { from, to }: Migration): Promise<void> {
    const preview = previewUri({ uri: document.uri, to });
    this.#changed.fire(preview);
    const name = posix.basename(document.uri.path);
    const title = from === to ? `${name}: keys of ${to} corrected` : `${name}: ${from} → ${to}`;
    await vscode.commands.executeCommand("vscode.diff", document.uri, preview, title, { preview: true });
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const previewed = readPreviewUri(uri);
    if (previewed === undefined) return "# This preview belongs to no file.\n";
    const outcome = migrationOf(await vscode.workspace.openTextDocument(previewed.uri), previewed.to);
    return outcome.ok ? outcome.value.text : `# ${describeProblem(outcome.problem).replaceAll(/\s*\n\s*/g, " ")}\n`;
  }

  dispose(): void {
    this.#changed.dispose();
    this.#registrations.dispose();
  }

  #refresh(source: vscode.TextDocument): void {
    for (const { uri } of vscode.workspace.textDocuments) {
      if (readPreviewUri(uri)?.uri.toString() === source.uri.toString()) this.#changed.fire(uri);
    }
  }
}

/** Closes the difference view of a preview. */
export async function closePreview(preview: vscode.Uri): Promise<void> {
  const shown = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === preview.toString(),
    );
  await vscode.window.tabGroups.close(shown);
}

/** The preview in the active tab, if one is there. */
export function activePreview(): vscode.Uri | undefined {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === PREVIEW_SCHEME
    ? input.modified
    : undefined;
}

/** What a preview shows; `undefined` for other documents. */
export function readPreviewUri(uri: vscode.Uri): PreviewedMigration | undefined {
  if (uri.scheme !== PREVIEW_SCHEME) return undefined;
  try {
    const { uri: source, to } = JSON.parse(uri.query) as { readonly uri?: unknown; readonly to?: unknown };
    if (typeof source !== "string" || typeof to !== "string" || !isMigrationTarget(to)) return undefined;
    return { uri: vscode.Uri.parse(source), to };
  } catch {
    return undefined;
  }
}

function previewUri({ uri, to }: PreviewedMigration): vscode.Uri {
  return vscode.Uri.from({
    scheme: PREVIEW_SCHEME,
    path: uri.path,
    query: JSON.stringify({ uri: uri.toString(), to }),
  });
}
