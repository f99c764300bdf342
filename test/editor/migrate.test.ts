import * as assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually, openNewConfig, ownDiagnostics, testApi, workspaceFolder } from "./session.js";

const flat = [
  "# offload-lens: layout=flat",
  "model:",
  "  model_path: ./checkpoint",
  "data:",
  "  train_path: data.jsonl",
  "train:",
  "  # peak rate",
  "  lr: 1.0e-5 # of the paper",
  "",
  "  enable_activation_offload: true",
  "  enable_full_shard: true",
  "",
].join("\r\n");

const nested = [
  "# offload-lens: layout=model-scoped",
  "model:",
  "  model_path: ./checkpoint",
  "  optimizer:",
  "    # peak rate",
  "    lr: 1.0e-5 # of the paper",
  "",
  "  accelerator:",
  "    offload_config:",
  "      enable_activation: true",
  "data:",
  "  train_path: data.jsonl",
  "train: {}",
  "  # Not in the layout model-scoped: It was dropped together with FSDP1 (VeOmni #756).",
  "  # enable_full_shard: true",
  "",
].join("\r\n");

/** The preview beside the file, once it is shown. */
async function previewOf(document: vscode.TextDocument): Promise<vscode.TextDocument> {
  const preview = await eventually("the difference view", () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff && input.original.toString() === document.uri.toString()
      ? input.modified
      : undefined;
  });
  return vscode.workspace.openTextDocument(preview);
}

/** Runs the command, looks at the preview and applies it. */
async function migrateAndApply(argument: unknown, document: vscode.TextDocument): Promise<void> {
  await vscode.commands.executeCommand("offloadLens.migrate", argument);
  const expected = (await previewOf(document)).getText();
  await vscode.commands.executeCommand("offloadLens.applyMigration");
  assert.equal(document.getText(), expected);
  assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), document.uri.toString());
}

async function actionsAt(document: vscode.TextDocument, range: vscode.Range, kind: vscode.CodeActionKind) {
  return vscode.commands.executeCommand<vscode.CodeAction[]>(
    "vscode.executeCodeActionProvider",
    document.uri,
    range,
    kind.value,
  );
}

describe("Migrate to Another Layout", () => {
  before(testApi);
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("converts the file in one edit after the preview, and one undo restores every byte", async () => {
    const { document } = await openNewConfig("flat.yaml", flat);
    await migrateAndApply({ uri: document.uri.toString(), to: "model-scoped" }, document);
    assert.equal(document.getText(), nested);
    await vscode.commands.executeCommand("undo");
    assert.equal(document.getText(), flat);
    await vscode.commands.executeCommand("redo");
    assert.equal(document.getText(), nested);
    await document.save();
    assert.equal(readFileSync(document.uri.fsPath, "utf8"), nested);
  });

  it("changes nothing when the preview is discarded", async () => {
    const { document } = await openNewConfig("discarded.yaml", flat);
    await vscode.commands.executeCommand("offloadLens.migrate", { uri: document.uri.toString(), to: "model-scoped" });
    assert.equal((await previewOf(document)).getText(), nested);
    await vscode.commands.executeCommand("offloadLens.discardMigration");
    await eventually("the difference view to close", () =>
      vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff ? undefined : true,
    );
    assert.equal(document.getText(), flat);
    assert.equal(document.isDirty, false);
  });

  it("follows the file while the preview is open, and applies to what is there then", async () => {
    const { document } = await openNewConfig("followed.yaml", flat);
    await vscode.commands.executeCommand("offloadLens.migrate", { uri: document.uri.toString(), to: "model-scoped" });
    const preview = await previewOf(document);
    const edit = new vscode.WorkspaceEdit();
    const at = document.positionAt(flat.indexOf("1.0e-5"));
    edit.replace(document.uri, new vscode.Range(at, at.translate(0, 6)), "2.0e-5");
    await vscode.workspace.applyEdit(edit);
    const expected = nested.replace("1.0e-5", "2.0e-5");
    await eventually("the preview to follow", () => (preview.getText() === expected ? true : undefined));
    await vscode.commands.executeCommand("offloadLens.applyMigration", preview.uri);
    assert.equal(document.getText(), expected);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("refuses to lose keys, with one message that names them", async () => {
    const api = await testApi();
    const text = "model:\n  accelerator:\n    offload_config: {enable_async_activation: true}\n";
    const { document } = await openNewConfig("newer.yaml", `${text}data: {train_path: d}\ntrain: {}\n`);
    const shown = api.problemsShown();
    await vscode.commands.executeCommand("offloadLens.migrate", { uri: document.uri.toString(), to: "train-scoped" });
    assert.equal(api.problemsShown(), shown + 1);
    assert.equal(api.lastProblem()?.code, "MIGRATION_HOMELESS");
    assert.match(api.lastProblem()?.message ?? "", /model\.accelerator\.offload_config\.enable_async_activation/);
    assert.equal(document.isDirty, false);
  });

  it("is offered on findings about the layout, and among the refactorings", async () => {
    const text = "model:\n  model_path: m\ndata:\n  train_path: d\ntrain:\n  accelerator:\n    offload: {}\n";
    const { document } = await openNewConfig("shipped.yaml", text);
    const found = await eventually("the finding", () =>
      ownDiagnostics(document).find(({ code }) => code === "misnamed-key"),
    );
    const fixes = await actionsAt(document, found.range, vscode.CodeActionKind.QuickFix);
    const fix = fixes.find(({ title }) => title === "Migrate the whole file to the layout train-scoped…");
    assert.deepEqual(fix?.command?.arguments, [{ uri: document.uri.toString(), to: "train-scoped" }]);
    const start = new vscode.Range(0, 0, 0, 0);
    const refactorings = await actionsAt(document, start, vscode.CodeActionKind.RefactorRewrite);
    assert.ok(refactorings.some(({ title }) => title === "Migrate to Another Layout…"));
    assert.deepEqual(await actionsAt(document, start, vscode.CodeActionKind.QuickFix), []);
    await migrateAndApply(fix?.command?.arguments?.[0], document);
    assert.equal(document.getText(), text.replace("offload:", "offload_config:"));
    await eventually("the finding to go", () =>
      ownDiagnostics(document).some(({ code }) => code === "misnamed-key") ? undefined : true,
    );
  });

  it("converts the keys that verl dropped", async () => {
    const sample = readFileSync(join(workspaceFolder(), "veomni.yaml"), "utf8");
    const { document } = await openNewConfig(
      "old-verl.yaml",
      sample.replace("enable_async_activation_offload:", "enable_async_activation:"),
    );
    await migrateAndApply({ uri: document.uri.toString(), to: "verl" }, document);
    assert.equal(document.getText(), sample);
    writeFileSync(document.uri.fsPath, sample);
  });
});
