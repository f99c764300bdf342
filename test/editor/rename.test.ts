import * as assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { openNewConfig, testApi, workspaceFolder } from "./session.js";

const config =
  "actor_rollout_ref:\n  actor:\n    veomni:\n      activation_offload_modules:\n        - model.blocks.{*}\n";
const call = "python3 -m verl.trainer.main_ppo model_engine=veomni";
const key = "actor_rollout_ref.actor.veomni.activation_offload_modules";
const scriptPath = () => join(workspaceFolder(), "rename.sh");

async function renameTo(document: vscode.TextDocument, name: string): Promise<vscode.WorkspaceEdit> {
  return vscode.commands.executeCommand<vscode.WorkspaceEdit>(
    "vscode.executeDocumentRenameProvider",
    document.uri,
    document.positionAt(document.getText().indexOf("model.blocks") + 2),
    name,
  );
}

describe("rename", () => {
  before(testApi);
  after(async () => {
    for (const name of ["rename.sh", "bare.sh"]) rmSync(join(workspaceFolder(), name), { force: true });
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  it("changes a pattern in YAML and in scripts, as one edit", async () => {
    writeFileSync(scriptPath(), `${call} '${key}=["model.blocks.{*}"]'\n`);
    const { document } = await openNewConfig("rename.yaml", config);
    const edit = await renameTo(document, "model.layers.{*}");
    assert.deepEqual(
      edit
        .entries()
        .map(([uri]) => uri.path.split("/").at(-1))
        .sort(),
      ["rename.sh", "rename.yaml"],
    );
    assert.equal(await vscode.workspace.applyEdit(edit), true);
    assert.equal(document.getText(), config.replace("blocks", "layers"));
    const script = await vscode.workspace.openTextDocument(vscode.Uri.file(scriptPath()));
    assert.equal(script.getText(), `${call} '${key}=["model.layers.{*}"]'\n`);
    await script.save();
  });

  it("renames nothing where the quotes of one place do not fit", async () => {
    writeFileSync(join(workspaceFolder(), "bare.sh"), `${call} ${key}=[model.blocks.0]\n`);
    const { document } = await openNewConfig("bare.yaml", config.replace("{*}", "0"));
    await assert.rejects(renameTo(document, "model.layers.{*}"), /Nothing was renamed: the quotes at bare\.sh:1/);
  });

  it("refuses texts that are no patterns, and places that hold none", async () => {
    const { document } = await openNewConfig("words.yaml", config);
    await assert.rejects(renameTo(document, "two words"), /letters, digits, dots/);
    await assert.rejects(
      Promise.resolve(vscode.commands.executeCommand("vscode.prepareRename", document.uri, new vscode.Position(0, 2))),
    );
  });
});
