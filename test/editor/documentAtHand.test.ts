import * as assert from "node:assert/strict";
import * as vscode from "vscode";
import { eventually, openConfig, testApi } from "./session.js";

/** The walkthrough has the focus and is no text editor: its buttons call commands without an address. */
async function openWalkthrough(): Promise<void> {
  await vscode.commands.executeCommand(
    "workbench.action.openWalkthrough",
    "veomni-offload-lens.veomni-offload-lens#start",
    false,
  );
  await eventually("the walkthrough", () => (vscode.window.activeTextEditor === undefined ? true : undefined));
}

async function openKept(name: string): Promise<vscode.TextEditor> {
  const { document } = await openConfig(name);
  return vscode.window.showTextDocument(document, { preview: false });
}

describe("a command from the walkthrough", () => {
  before(testApi);
  afterEach(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("takes the config whose tab is open behind it", async () => {
    // A tab in preview would give way to the walkthrough.
    await openKept("run_grpo.sh");
    const { document } = await openKept("veomni.yaml");
    await openWalkthrough();
    await vscode.commands.executeCommand("offloadLens.showSelection");
    const list = await eventually("the list", () =>
      vscode.window.visibleTextEditors.find((editor) => editor.document.uri.scheme === "offload-lens-selection"),
    );
    assert.equal(JSON.parse(list.document.uri.query).uri, document.uri.toString());
  });

  it("says that no config is open when none is", async () => {
    const api = await testApi();
    await openWalkthrough();
    await vscode.commands.executeCommand("offloadLens.profile");
    assert.equal(api.lastProblem()?.code, "MODEL_DIRECTORY_UNKNOWN");
    assert.match(api.lastProblem()?.cause ?? "", /^No config is open/);
  });
});
