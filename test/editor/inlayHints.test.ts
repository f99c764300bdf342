import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, openConfig, openNewConfig, testApi } from "./session.js";

async function hintLabels(document: vscode.TextDocument): Promise<string[]> {
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
    "vscode.executeInlayHintProvider",
    document.uri,
    all,
  );
  return hints.map(({ label, position }) => {
    const text = typeof label === "string" ? label : label.map(({ value }) => value).join("");
    return `${document.lineAt(position.line).text.trim()} ${text}`;
  });
}

describe("inlay hints", () => {
  before(testApi);
  after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("stand behind the limit and behind each pattern", async () => {
    const { document } = await openConfig("veomni.yaml");
    const labels = await eventually("the pattern's count", async () => {
      const found = await hintLabels(document);
      return found.some((label) => label.endsWith("modules")) ? found : undefined;
    });
    // What the simulator adds has a test of its own.
    const written = labels.filter((label) => !label.includes(" simulated: "));
    assert.deepEqual(written.sort(), [
      "- model.layers.{*} 4 modules",
      "activation_offload_host_cache_limit_gb: 4.0 = 4,294,967,296 bytes",
    ]);
  });

  it("show what an interpolation stands for", async () => {
    const text = "data:\n  size: 8\nactor_rollout_ref:\n  actor:\n    veomni:\n      fsdp_size: $" + "{data.size}\n";
    const { document } = await openNewConfig("interpolated.yaml", text);
    assert.deepEqual(await hintLabels(document), [`fsdp_size: $${"{data.size}"} = 8`]);
  });
});
