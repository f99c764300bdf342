import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { openConfig, openNewConfig, testApi } from "./session.js";

describe("symbols, folding and definitions", () => {
  before(testApi);
  after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("list blocks and patterns in the outline", async () => {
    const { document } = await openConfig("veomni.yaml");
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      "vscode.executeDocumentSymbolProvider",
      document.uri,
    );
    const at = (list: readonly vscode.DocumentSymbol[], name: string): vscode.DocumentSymbol => {
      const found = list.find((symbol) => symbol.name === name);
      assert.ok(found, `no ${name} among ${list.map((symbol) => symbol.name).join(", ")}`);
      return found;
    };
    const engine = at(at(at(symbols, "actor_rollout_ref").children, "actor").children, "veomni");
    assert.equal(engine.detail, "VeOmni engine");
    at(at(engine.children, "activation_offload_modules").children, "model.layers.{*}");
  });

  it("fold blocks, and leave other YAML to the editor", async () => {
    const { document } = await openConfig("veomni.yaml");
    const folds = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      "vscode.executeFoldingRangeProvider",
      document.uri,
    );
    const line = document.getText().split("\n").indexOf("actor_rollout_ref:");
    assert.ok(folds.some(({ start, end }) => start === line && end > line + 10));
    const other = await openNewConfig("folds.yaml", "a:\n  b: 1\n  c: 2\n");
    const left = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      "vscode.executeFoldingRangeProvider",
      other.document.uri,
    );
    assert.deepEqual(
      left.map(({ start, end }) => [start, end]),
      [[0, 2]],
    );
  });

  it("go from an interpolation to the key that it names", async () => {
    const reference = `$${"{data.size}"}`;
    const text = `data:\n  size: 8\nactor_rollout_ref:\n  actor:\n    veomni:\n      fsdp_size: ${reference}\n`;
    const { document } = await openNewConfig("reference.yaml", text);
    const found = await vscode.commands.executeCommand<(vscode.Location | vscode.LocationLink)[]>(
      "vscode.executeDefinitionProvider",
      document.uri,
      document.positionAt(text.indexOf("data.size}")),
    );
    const [link] = found;
    assert.ok(link);
    const range = "targetRange" in link ? link.targetRange : link.range;
    assert.equal(document.getText(range), "size");
  });
});
