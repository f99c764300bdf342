import * as assert from "node:assert/strict";
import { cpSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { eventually, lensesOf, lensTitles, openConfig, openNewConfig, testApi, workspaceFolder } from "./session.js";

function sampleText(): string {
  return readFileSync(join(workspaceFolder(), "veomni.yaml"), "utf8");
}

async function withLens(document: vscode.TextDocument, expected: RegExp): Promise<string[]> {
  let seen: string[] = [];
  return eventually(
    () => `a lens like ${expected}, seeing ${seen.join(" | ")}`,
    async () => {
      seen = await lensTitles(document);
      return seen.some((title) => expected.test(title)) ? seen : undefined;
    },
  );
}

describe("the code lens", () => {
  before(testApi);
  after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("says what the patterns select on the config's model", async () => {
    const { document } = await openConfig("veomni.yaml");
    const titles = await withLens(document, /layers/);
    assert.deepEqual(titles.sort(), ["3 of 4 layers, the last stays on the device", "Modules", "Profile offload"]);
    const [lens] = await lensesOf(document);
    assert.match(document.lineAt(lens?.range.start.line ?? 0).text, /activation_offload_modules:/);
  });

  it("follows edits, before they are saved", async () => {
    const editor = await openNewConfig("pattern.yaml", sampleText());
    const offset = sampleText().indexOf("model.layers.{*}");
    const start = editor.document.positionAt(offset);
    await editor.edit((edit) => edit.replace(new vscode.Range(start, start.translate(0, 16)), "model.layers.[01]"));
    await withLens(editor.document, /^1 of 4 layers, the last stays on the device$/);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("stands over the block when the key is absent", async () => {
    const text = sampleText().replace(/ +activation_offload_modules:\n +- model\.layers\.\{\*\}\n/, "");
    const { document } = await openNewConfig("automatic.yaml", text);
    const titles = await withLens(document, /^Profile offload$/);
    assert.equal(titles.length, 3);
    const [lens] = await lensesOf(document);
    assert.match(document.lineAt(lens?.range.start.line ?? 0).text, /^ {4}veomni:/);
  });

  it("stands over the overrides of a script and of a shell block in Markdown", async () => {
    const script = await openConfig("run_grpo.sh");
    const titles = await withLens(script.document, /layers/);
    assert.deepEqual(titles.sort(), ["3 of 4 layers, the last stays on the device", "Modules", "Profile offload"]);
    const [lens] = await lensesOf(script.document);
    assert.match(script.document.lineAt(lens?.range.start.line ?? 0).text, /activation_offload_modules=/);
    const text = readFileSync(join(workspaceFolder(), "run_grpo.sh"), "utf8");
    const notes = await openNewConfig("notes.md", `How to run it:\n\n\`\`\`bash\n${text}\`\`\`\n`);
    await withLens(notes.document, /^3 of 4 layers, the last stays on the device$/);
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("asks for a model directory when the config names none here, and takes the setting", async () => {
    const { document } = await openNewConfig(
      "hub.yaml",
      sampleText().replace("path: ./checkpoint", "path: nobody/not-a-model"),
    );
    await withLens(document, /^Choose a model directory; nobody\/not-a-model is no directory here$/);
    const configuration = vscode.workspace.getConfiguration("offloadLens");
    await configuration.update("modelPath", "${workspaceFolder}/checkpoint", vscode.ConfigurationTarget.Workspace);
    try {
      await withLens(document, /^3 of 4 layers, the last stays on the device$/);
    } finally {
      await configuration.update("modelPath", undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it("knows the sizes of well-known models by their id", async () => {
    const { document } = await openNewConfig(
      "id.yaml",
      sampleText().replace("path: ./checkpoint", "path: Qwen/Qwen3-8B"),
    );
    await withLens(document, /^35 of 36 layers, the last stays on the device$/);
  });

  it("names what is wrong with a damaged checkpoint, and recovers when it is replaced", async () => {
    const sound = join(workspaceFolder(), "checkpoint");
    const damaged = join(workspaceFolder(), "damaged");
    cpSync(sound, damaged, { recursive: true });
    const { document } = await openNewConfig(
      "damaged.yaml",
      sampleText().replace("path: ./checkpoint", "path: ./damaged"),
    );
    await withLens(document, /^3 of 4 layers/);
    const shard = (await vscode.workspace.fs.readDirectory(vscode.Uri.file(damaged)))
      .map(([name]) => name)
      .find((name) => name.endsWith(".safetensors"));
    assert.ok(shard);
    truncateSync(join(damaged, shard), 4);
    await withLens(document, new RegExp(shard.replaceAll(".", "\\.")));
    cpSync(join(sound, shard), join(damaged, shard));
    await withLens(document, /^3 of 4 layers/);
  });
});

describe("the selection list", () => {
  before(testApi);
  after(() => vscode.commands.executeCommand("workbench.action.closeAllEditors"));

  it("shows every selected module with its offload index, and which stays", async () => {
    const { document } = await openConfig("veomni.yaml");
    const lens = (await lensesOf(document)).find(({ command }) => command?.command === "offloadLens.showSelection");
    assert.ok(lens?.command);
    await vscode.commands.executeCommand("offloadLens.showSelection", ...(lens.command.arguments ?? []));
    const list = await eventually("the list", () =>
      vscode.window.visibleTextEditors.find((editor) => editor.document.uri.scheme === "offload-lens-selection"),
    );
    const lines = list.document.getText().split("\n");
    assert.match(lines[0] ?? "", /actor_rollout_ref\.actor\.veomni/);
    assert.ok(lines.includes("3 of 4 layers, the last stays on the device."));
    const entries = lines
      .filter((line) => /^ +\d+ {2}model\.layers\.\d/.test(line))
      .map((line) => line.trim().split(/ {2,}/));
    assert.deepEqual(
      entries.map(([index, name, fate]) => [index, name, fate]),
      [0, 1, 2, 3].map((layer) => [
        String(layer),
        `model.layers.${layer}`,
        layer === 3 ? "stays on the device" : "moves",
      ]),
    );
  });

  it("explains a pattern that matches nothing", async () => {
    const text = sampleText().replace("- model.layers.{*}", "- model.layers.{*}\n        - model.layer.*");
    await openNewConfig("nothing.yaml", text);
    await vscode.commands.executeCommand("offloadLens.showSelection");
    await eventually("the note", () =>
      vscode.workspace.textDocuments.find(
        (document) =>
          document.uri.scheme === "offload-lens-selection" &&
          /model\.layer\.\* {2}\(glob, 0 matched\)\n {4}NO_MATCH: /.test(document.getText()),
      ),
    );
  });
});
