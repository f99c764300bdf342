import * as assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually, openNewConfig, testApi, workspaceFolder } from "./session.js";

function sampleText(): string {
  return readFileSync(join(workspaceFolder(), "veomni.yaml"), "utf8");
}

/** The suggestions of the real editor at a position. */
async function suggestionsAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<readonly vscode.CompletionItem[]> {
  const list = await vscode.commands.executeCommand<vscode.CompletionList>(
    "vscode.executeCompletionItemProvider",
    document.uri,
    position,
  );
  // The editor adds the words of the file where nobody else has an answer.
  return list.items.filter(({ kind }) => kind !== vscode.CompletionItemKind.Text);
}

function labelOf({ label }: vscode.CompletionItem): string {
  return typeof label === "string" ? label : label.label;
}

describe("completion", () => {
  before(testApi);
  after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("offers keys that are not written yet", async () => {
    const marker = "      fsdp_size: -1\n";
    const text = sampleText().replace(marker, `${marker}      \n`);
    const { document } = await openNewConfig("keys.yaml", text);
    const line = text.slice(0, text.indexOf(marker) + marker.length).split("\n").length - 1;
    const items = await suggestionsAt(document, new vscode.Position(line, 6));
    const labels = items.map(labelOf);
    assert.ok(labels.includes("ulysses_parallel_size"), labels.join(", "));
    assert.ok(!labels.includes("activation_offload_modules"));
    assert.ok(!labels.includes("activation_gpu_limit"));
  });

  it("offers module names of the config's model, segment by segment, in a half-typed list", async () => {
    const text = sampleText().replace(
      "activation_offload_modules:\n        - model.layers.{*}",
      'activation_offload_modules: ["model.layers.0.',
    );
    const { document } = await openNewConfig("modules.yaml", text);
    const position = document.positionAt(text.indexOf("layers.0.") + "layers.0.".length);
    await eventually("the module's children", async () => {
      const labels = (await suggestionsAt(document, position)).map(labelOf);
      return labels.includes("model.layers.0.self_attn") && labels.includes("model.layers.{*}") ? labels : undefined;
    });
  });

  it("writes what is taken, quotes included", async () => {
    const text = sampleText().replace(
      "activation_offload_modules:\n        - model.layers.{*}",
      "activation_offload_modules: [model.layers.]",
    );
    const editor = await openNewConfig("taken.yaml", text);
    const offset = text.indexOf("[model.layers.]") + "[model.layers.".length;
    const position = editor.document.positionAt(offset);
    editor.selection = new vscode.Selection(position, position);
    await eventually("the stack", async () =>
      (await suggestionsAt(editor.document, position)).find((item) => labelOf(item) === "model.layers.{*}"),
    );
    await vscode.commands.executeCommand("editor.action.triggerSuggest");
    await eventually("the written pattern", async () => {
      await vscode.commands.executeCommand("acceptSelectedSuggestion");
      return editor.document.getText().includes('["model.layers.{*}"]') ? true : undefined;
    });
  });

  it("inserts the snippet with the block's indentation", async () => {
    const head = "actor_rollout_ref:\n  actor:\n    strategy: veomni\n    veomni:\n      ";
    const editor = await openNewConfig("snippet.yaml", head);
    const position = editor.document.positionAt(head.length);
    const item = await eventually("the snippet", async () =>
      (await suggestionsAt(editor.document, position)).find((each) => labelOf(each) === "Turn async offload on"),
    );
    assert.ok(item.insertText instanceof vscode.SnippetString);
    assert.ok(item.range instanceof vscode.Range);
    await editor.insertSnippet(item.insertText, item.range);
    assert.equal(
      editor.document.getText(),
      `${head}enable_async_activation_offload: true\n      activation_offload_modules:\n        - model.layers.{*}\n` +
        "      activation_offload_host_cache_limit_gb: 4.0",
    );
  });

  it("answers in a file of 50,000 lines while it is being read", async function () {
    this.timeout(120_000);
    const lines = [sampleText()];
    for (let at = 0; at < 12_500; at++) lines.push(`extra_${at}:\n  path: /data/${at}\n  ratio: 0.5\n  tags: [a, b]`);
    const editor = await openNewConfig("long.yaml", `${lines.join("\n")}\ncritic:\n  veomni:\n    `);
    const { document } = editor;
    const end = document.lineAt(document.lineCount - 1).range.end;
    const asked = async (): Promise<string[]> => (await suggestionsAt(document, end)).map(labelOf);
    await eventually(
      "the first reading",
      async () => ((await asked()).includes("fsdp_size") ? true : undefined),
      60_000,
    );
    // The next version is not read yet, and help is there all the same.
    await editor.edit((edit) => edit.insert(end, "forward_only: true\n    "));
    const after = document.lineAt(document.lineCount - 1).range.end;
    const labels = (await suggestionsAt(document, after)).map(labelOf);
    assert.ok(labels.includes("fsdp_size"));
    assert.ok(!labels.includes("forward_only"));
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("offers nothing of ours in other YAML", async () => {
    const { document } = await openNewConfig("other.yaml", "services:\n  web:\n    ");
    const labels = (await suggestionsAt(document, new vscode.Position(2, 4))).map(labelOf);
    assert.ok(!labels.includes("activation_offload_modules"));
    assert.ok(!labels.includes("Turn async offload on"));
  });
});
