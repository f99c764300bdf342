import * as assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually, openConfig, openNewConfig, ownDiagnostics, testApi, workspaceFolder } from "./session.js";

function sampleText(): string {
  return readFileSync(join(workspaceFolder(), "veomni.yaml"), "utf8");
}

describe("a verl config in the editor", () => {
  before(testApi);
  after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("leaves a correct file alone", async () => {
    const { document } = await openConfig("veomni.yaml");
    // The mistake of the next file proves that diagnostics arrive at all; here none may.
    const mistaken = await openNewConfig(
      "control.yaml",
      sampleText().replace("host_cache_limit_gb: 4.0", "host_cache_limit_gb: -1"),
    );
    await eventually("the control's diagnostic", () => ownDiagnostics(mistaken.document)[0]);
    assert.deepEqual(ownDiagnostics(document), []);
  });

  it("underlines an unknown key while it is typed, and the fix settles it", async () => {
    const editor = await openNewConfig("typing.yaml", sampleText());
    const { document } = editor;
    const key = "activation_offload_modules";
    const start = document.positionAt(document.getText().indexOf(`${key}:`));
    const range = new vscode.Range(start, start.translate(0, key.length));
    await editor.edit((edit) => edit.replace(range, "activation_offload_module"));
    const found = await eventually("the diagnostic", () =>
      ownDiagnostics(document).find((diagnostic) =>
        document.getText(diagnostic.range).startsWith("activation_offload_mod"),
      ),
    );
    assert.equal(found.code, "unknown-key");
    assert.equal(found.range.start.line, start.line);

    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      document.uri,
      found.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const fix = actions.find((action) => action.title === "Rename to activation_offload_modules");
    assert.ok(fix?.edit, `no fix among ${actions.map((action) => action.title).join(", ")}`);
    assert.equal(await vscode.workspace.applyEdit(fix.edit), true);
    assert.equal(document.getText(), sampleText());
    await eventually("the diagnostic to go", () => (ownDiagnostics(document).length === 0 ? true : undefined));

    await vscode.commands.executeCommand("undo");
    await eventually("the undone mistake", () => ownDiagnostics(document)[0]);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("knows a family by the config.json of the model that it names, once that has been read", async () => {
    const model = join(workspaceFolder(), "mine");
    mkdirSync(model, { recursive: true });
    writeFileSync(join(model, "config.json"), JSON.stringify({ model_type: "deepseek_v4", head_dim: 512 }));
    const block = "  actor:\n    veomni:\n      attn_implementation: flash_attention_2\n";
    const { document } = await openNewConfig("family.yaml", `actor_rollout_ref:\n  model:\n    path: ./mine\n${block}`);
    const found = await eventually("the family's diagnostic", () =>
      ownDiagnostics(document).find(({ code }) => code === "kernel-for-model"),
    );
    assert.match(found.message, /DeepSeek-V4/);
  });

  it("forgets the diagnostics of a closed file", async () => {
    const path = join(workspaceFolder(), "closing.yaml");
    writeFileSync(path, sampleText().replace("host_cache_limit_gb: 4.0", "host_cache_limit_gb: -1"));
    const uri = vscode.Uri.file(path);
    // Not by the API: what extensions open stays open for minutes.
    await vscode.commands.executeCommand("vscode.open", uri);
    await eventually("a diagnostic", () => vscode.languages.getDiagnostics(uri)[0]);
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await eventually("no diagnostics", () => (vscode.languages.getDiagnostics(uri).length === 0 ? true : undefined));
  });

  it("says nothing about other YAML", async () => {
    const { document } = await openNewConfig("compose.yaml", "services:\n  web:\n    image: x\n");
    const control = await openNewConfig(
      "control.yaml",
      sampleText().replace("host_cache_limit_gb: 4.0", "host_cache_limit_gb: -1"),
    );
    await eventually("the control's diagnostic", () => ownDiagnostics(control.document)[0]);
    assert.deepEqual(ownDiagnostics(document), []);
  });
});
