import * as assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import type { TestApi } from "../../src/extension/main.js";
import { ExactTrees } from "../../src/extension/model/exactTrees.js";
import { ExactTreeCommand } from "../../src/extension/modelCommands/exactTreeCommand.js";
import { Output } from "../../src/extension/output.js";
import { eventually, lensesOf, openConfig, testApi, workspaceFolder } from "./session.js";

/** What Python would print for a model of seven layers; the sample's checkpoint has four. */
const recorded = {
  architecture: "RecordedForCausalLM",
  named_modules: [
    ["", "RecordedForCausalLM"],
    ["model", "RecordedModel"],
    ["model.layers", "ModuleList"],
    ...Array.from({ length: 7 }, (_, layer) => [
      [`model.layers.${layer}`, "RecordedDecoderLayer"],
      [`model.layers.${layer}.mlp`, "RecordedMLP"],
    ]).flat(),
  ],
  containers: ["model.layers"],
  no_split_modules: ["RecordedDecoderLayer"],
};

/** An interpreter that is a shell script; `$3` is the first argument of the dump script. */
function interpreter(name: string, dump: string): string {
  const path = join(workspaceFolder(), name);
  writeFileSync(path, `#!/bin/sh\ncase "$3" in --versions) echo '{"torch": "2.7"}'; exit 0;; esac\n${dump}\n`);
  chmodSync(path, 0o755);
  return path;
}

const settings = () => vscode.workspace.getConfiguration("offloadLens");
const set = (name: string, value: unknown) => settings().update(name, value, vscode.ConfigurationTarget.Workspace);

describe("exact module trees from Python", () => {
  let api: TestApi;
  let document: vscode.TextDocument;
  const configPath = () => join(workspaceFolder(), "checkpoint", "config.json");
  let configText = "";

  before(async () => {
    api = await testApi();
    configText = readFileSync(configPath(), "utf8");
    ({ document } = await openConfig("veomni.yaml"));
    await vscode.commands.executeCommand("offloadLens.modules.focus");
  });
  after(async () => {
    // A look at a changed config.json drops the tree, also where a test stopped before it came to that.
    writeFileSync(configPath(), `${configText} `);
    await lens();
    writeFileSync(configPath(), configText);
    await set("python", undefined);
    await set("pythonTimeLimitSeconds", undefined);
    await vscode.commands.executeCommand("workbench.view.explorer");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  });

  const lens = async () =>
    (await lensesOf(document)).find(({ command }) => command?.command === "offloadLens.showSelection")?.command;
  const build = () => vscode.commands.executeCommand("offloadLens.buildExactTree");

  it("says with one coded message each why there is no tree", async () => {
    const shown = api.problemsShown();
    await set("python", "./no-such-python");
    await build();
    assert.equal(api.lastProblem()?.code, "PYTHON_MISSING");
    interpreter("bare-python", "echo \"failed: TRANSFORMERS_MISSING No module named 'torch'\" >&2; exit 3");
    await set("python", "${workspaceFolder}/bare-python");
    await build();
    assert.equal(api.lastProblem()?.code, "TRANSFORMERS_MISSING");
    interpreter("slow-python", "sleep 60");
    await set("python", "./slow-python");
    await set("pythonTimeLimitSeconds", 1);
    await build();
    assert.equal(api.lastProblem()?.code, "DUMP_TIMED_OUT");
    await set("pythonTimeLimitSeconds", undefined);
    assert.equal(api.problemsShown(), shown + 3);
    assert.match((await lens())?.title ?? "", /4 layers/);
  });

  it("shows the recorded tree in lens, hover and Modules view until config.json changes", async () => {
    interpreter("good-python", `echo "progress: building" >&2; echo '${JSON.stringify(recorded)}'`);
    await set("python", "./good-python");
    await build();
    assert.match((await lens())?.title ?? "", /6 of 7 layers/);
    assert.match((await lens())?.tooltip ?? "", /\(Python dump, exact\)/);
    const model = await eventually("the tree in the view", () => {
      const message = api.modules.lastMessage("model");
      return message?.title === "RecordedForCausalLM" ? message : undefined;
    });
    assert.equal(model.source, "Python dump");
    assert.equal(model.exact, true);
    const at = document.positionAt(document.getText().indexOf("model.layers.{*}") + 3);
    const hover = await eventually("the hover on the tree", async () => {
      const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
        "vscode.executeHoverProvider",
        document.uri,
        at,
      );
      const text = hovers.flatMap(({ contents }) =>
        contents.map((part) => (typeof part === "string" ? part : part.value)),
      );
      return text.some((part) => part.includes("model.layers.6")) ? text : undefined;
    });
    assert.ok(hover.length > 0);
    writeFileSync(configPath(), `${configText} `);
    assert.match((await lens())?.title ?? "", /4 layers/);
  });

  it("stops what it started when it is cancelled, and shows no error", async () => {
    const output = new Output();
    const started = join(workspaceFolder(), "started");
    const late = join(workspaceFolder(), "late");
    interpreter("endless-python", `touch "${started}"; (sleep 3; touch "${late}") & sleep 60`);
    await set("python", "./endless-python");
    const places = { script: join(workspaceFolder(), "veomni.yaml"), cacheDirectory: join(workspaceFolder(), "dumps") };
    const command = new ExactTreeCommand(places, new ExactTrees(), output);
    const run = command.run();
    await eventually("the interpreter", () => (existsSync(started) ? true : undefined));
    assert.equal(command.isRunning, true);
    command.cancel();
    await run;
    assert.equal(output.lastProblem?.code, "DUMP_CANCELLED");
    assert.equal(output.problemsShown, 0);
    assert.equal(command.isRunning, false);
    assert.equal(existsSync(late), false);
    output.dispose();
  });

  it("starts nothing in an untrusted workspace", async () => {
    const output = new Output();
    const touched = join(workspaceFolder(), "touched");
    interpreter("untrusted-python", `touch "${touched}"`);
    await set("python", "./untrusted-python");
    const places = { script: join(workspaceFolder(), "veomni.yaml"), cacheDirectory: join(workspaceFolder(), "dumps") };
    await new ExactTreeCommand(places, new ExactTrees(), output, () => false).run();
    assert.equal(output.lastProblem?.code, "WORKSPACE_UNTRUSTED");
    assert.equal(existsSync(touched), false);
    output.dispose();
  });
});
