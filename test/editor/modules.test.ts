import * as assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { SelectionMessage } from "../../src/core/modules/view/protocol.js";
import type { TestApi } from "../../src/extension/main.js";
import { eventually, openConfig, openNewConfig, testApi, workspaceFolder } from "./session.js";

function sampleText(): string {
  return readFileSync(join(workspaceFolder(), "veomni.yaml"), "utf8");
}

describe("the Modules view", () => {
  let api: TestApi;

  before(async () => {
    api = await testApi();
    await openConfig("veomni.yaml");
    await vscode.commands.executeCommand("offloadLens.modules.focus");
  });
  after(async () => {
    await vscode.workspace
      .getConfiguration("offloadLens")
      .update("modelPath", undefined, vscode.ConfigurationTarget.Workspace);
    await vscode.commands.executeCommand("workbench.view.explorer");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  /** The newest selection for which the condition holds. */
  function selectionWhere(what: string, holds: (selection: SelectionMessage) => boolean): Promise<SelectionMessage> {
    return eventually(what, () => {
      const selection = api.modules.lastMessage("selection");
      return selection !== undefined && holds(selection) ? selection : undefined;
    });
  }

  it("shows the tree of the config's model and what its patterns select", async () => {
    const selection = await selectionWhere("four layers", ({ rows }) => rows.length === 4);
    const model = api.modules.lastMessage("model");
    assert.equal(model?.title, "Qwen3ForCausalLM");
    assert.equal(model?.source, "checkpoint");
    assert.deepEqual(
      selection.rows.map((row) => model?.names[row]),
      [0, 1, 2, 3].map((layer) => `model.layers.${layer}`),
    );
    assert.deepEqual(selection.indices, [0, 1, 2, 3]);
    assert.deepEqual(selection.config?.fileName, "veomni.yaml");
    assert.equal(selection.error, null);
  });

  it("follows edits that are not saved", async () => {
    const editor = await openNewConfig("live.yaml", sampleText());
    await selectionWhere("the file", ({ config }) => config?.fileName === "live.yaml");
    const start = editor.document.positionAt(sampleText().indexOf("model.layers.{*}"));
    await editor.edit((edit) => edit.replace(new vscode.Range(start, start.translate(0, 16)), "model.layer.*"));
    const selection = await selectionWhere("the error", ({ error }) => error !== null);
    assert.match(selection.error ?? "", /^ValueError/);
    assert.equal(
      selection.warnings.some(({ message }) => message.includes('Nearest: "layers"')),
      true,
    );
    await vscode.commands.executeCommand("workbench.action.files.revert");
    await selectionWhere("four layers again", ({ rows }) => rows.length === 4);
  });

  it("writes picks as one edit that keeps comments, and Undo takes it back", async () => {
    const text = sampleText().replace("- model.layers.{*}", "- model.layers.{*}  # all of them");
    const { document } = await openNewConfig("pick.yaml", text);
    const selection = await selectionWhere("the file", ({ config }) => config?.fileName === "pick.yaml");
    const names = api.modules.lastMessage("model")?.names ?? [];
    const rows = ["model.embed_tokens", "model.layers.0", "model.layers.1"].map((name) => names.indexOf(name));
    const preview = await api.modules.preview({ kind: "preview", model: selection.model, rows });
    assert.deepEqual(preview.patterns, ["model.embed_tokens", "model.layers.[01]"]);
    api.modules.receive({ type: "apply", model: selection.model, rows });
    const written = text.replace(
      "- model.layers.{*}  # all of them",
      "- model.embed_tokens  # all of them\n        - model.layers.[01]",
    );
    await eventually("the edit", () => (document.getText() === written ? true : undefined));
    await selectionWhere("three modules", (now) => now.rows.length === 3);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("undo");
    assert.equal(document.getText(), text);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("refuses an empty list, which would mean the automatic mode", async () => {
    await openConfig("veomni.yaml");
    const selection = await selectionWhere("the sample", ({ config }) => config?.fileName === "veomni.yaml");
    api.modules.receive({ type: "apply", model: selection.model, rows: [] });
    await eventually("the problem", () => (api.lastProblem()?.code === "PATTERN_LIST_EMPTY" ? true : undefined));
    assert.equal((await vscode.workspace.openTextDocument(join(workspaceFolder(), "veomni.yaml"))).isDirty, false);
  });

  it("copies the pattern of a whole run", async () => {
    const selection = await selectionWhere("the sample", ({ config }) => config?.fileName === "veomni.yaml");
    await vscode.env.clipboard.writeText("");
    api.modules.receive({ type: "copy", model: selection.model, rows: selection.rows });
    await eventually("the message", () => api.modules.lastMessage("copied"));
    assert.equal(api.modules.lastMessage("copied")?.text, "model.layers.{*}");
  });

  it("takes a chosen model for a config that names none here: an id, a tree file", async () => {
    const text = sampleText().replace("path: ./checkpoint", "path: nobody/not-a-model");
    await openNewConfig("choose.yaml", text);
    await eventually("the problem", () =>
      api.modules.lastMessage("problem")?.problem.code === "MODEL_NOT_IN_CACHE" ? true : undefined,
    );
    await vscode.commands.executeCommand("offloadLens.chooseModel", "Qwen/Qwen3-0.6B");
    await selectionWhere("28 layers", ({ rows }) => rows.length === 28);
    assert.match(api.modules.lastMessage("model")?.shown ?? "", /^Qwen\/Qwen3-0\.6B from the catalogue$/);
    assert.equal(api.modules.lastMessage("model")?.exact, false);
    const tree = join(workspaceFolder(), "tiny.json");
    const modules = [
      ["", "Tiny"],
      ["model", "Inner"],
      ["model.layers", "ModuleList"],
      ["model.layers.0", "Layer"],
    ];
    writeFileSync(tree, JSON.stringify({ named_modules: modules, containers: ["model.layers"] }));
    await vscode.commands.executeCommand("offloadLens.chooseModel", "tiny.json");
    await selectionWhere("one layer", ({ rows }) => rows.length === 1);
    assert.equal(api.modules.lastMessage("model")?.title, "tiny.json");
  });
});
