import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, openConfig, openNewConfig, testApi } from "./session.js";

async function hoverText(document: vscode.TextDocument, needle: string): Promise<string> {
  const position = document.positionAt(document.getText().indexOf(needle) + 3);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    "vscode.executeHoverProvider",
    document.uri,
    position,
  );
  return hovers
    .flatMap(({ contents }) => contents)
    .map((content) => (typeof content === "string" ? content : content.value))
    .join("\n");
}

describe("hover", () => {
  before(testApi);
  after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("explains a key and a limit", async () => {
    const { document } = await openConfig("veomni.yaml");
    const key = await hoverText(document, "enable_async_activation_offload");
    assert.match(key, /since: verl #7724/);
    assert.match(key, /As in verl 0\.10\.0\.dev/);
    assert.match(await hoverText(document, " 4.0"), /4,294,967,296 bytes/);
  });

  it("counts what a pattern selects on the config's model", async () => {
    const { document } = await openConfig("veomni.yaml");
    await eventually("the count", async () => {
      const text = await hoverText(document, "model.layers.{*}");
      return /Adds 4 modules: `model\.layers\.0` to `model\.layers\.3`/.test(text) ? true : undefined;
    });
  });

  it("explains the keys of overrides in scripts", async () => {
    const { document } = await openConfig("run_grpo.sh");
    assert.match(await hoverText(document, "actor_rollout_ref.actor.veomni.enable_async"), /since: verl #7724/);
  });

  it("says nothing about other YAML", async () => {
    const { document } = await openNewConfig("plain.yaml", "enable_async_activation_offload: true\n");
    assert.equal(await hoverText(document, "enable_async"), "");
  });
});
