import * as assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { readContainer } from "../../src/core/timeline/container/readContainer.js";
import type { TestApi } from "../../src/extension/main.js";
import { eventually, openConfig, openNewConfig, setProfileSettings, testApi, workspaceFolder } from "./session.js";

/** The run of the reference figures: seconds at most. */
const SHORT = { seqLen: 256, microBatch: 2, steps: 3, layers: undefined };
/** Long enough that a test can step in, whatever the machine. */
const LONG = { ...SHORT, steps: 10_000 };

async function profileSample(): Promise<void> {
  await openConfig("veomni.yaml");
  await vscode.commands.executeCommand("offloadLens.profile");
}

/** Starts a long profile and gives the process once it runs. */
async function startLongProfile(api: TestApi): Promise<{ pid: number; ended: Thenable<void> }> {
  await setProfileSettings(LONG);
  await openConfig("veomni.yaml");
  const ended = vscode.commands.executeCommand<void>("offloadLens.profile");
  const pid = await eventually("the profiler process", () => api.profilerPid());
  return { pid, ended };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function hintLabels(document: vscode.TextDocument): Promise<string[]> {
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
    "vscode.executeInlayHintProvider",
    document.uri,
    all,
  );
  return hints.map(({ label }) => (typeof label === "string" ? label : label.map(({ value }) => value).join("")));
}

async function activeProfileTab(): Promise<vscode.TabInputCustom> {
  return eventually("the profile's editor", () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputCustom && input.viewType === "offloadLens.profile" ? input : undefined;
  });
}

describe("Profile Offload", () => {
  let api: TestApi;
  before(async () => {
    api = await testApi();
  });
  afterEach(async () => {
    api.cancelProfile();
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await setProfileSettings({ seqLen: undefined, microBatch: undefined, steps: undefined, layers: undefined });
    await setProfileSettings({ device: undefined, strategies: undefined });
  });

  it("saves a profile of both strategies and opens it in its editor", async () => {
    await setProfileSettings(SHORT);
    const shown = api.problemsShown();
    await profileSample();
    assert.equal(api.problemsShown(), shown, JSON.stringify(api.lastProblem()));
    const saved = api.lastSaved() ?? "";
    assert.ok(saved.startsWith(join(workspaceFolder(), ".offload-lens", "veomni-")), saved);
    const profile = readContainer(readFileSync(saved));
    assert.ok(profile.ok, profile.ok ? "" : profile.problem.message);
    const { runs, workload } = profile.value.result;
    assert.deepEqual(workload.seqLens, [256]);
    assert.deepEqual(
      runs.map((run) => [run.strategy, run.gradientCheckpointing]),
      [
        ["none", true],
        ["veomni_async", true],
      ],
    );
    const [none, offload] = runs;
    assert.equal((none?.afterForwardBytes ?? 0) - (offload?.afterForwardBytes ?? 0), 3 * 2 * 256 * 64 * 2);
    assert.equal((await activeProfileTab()).uri.fsPath, saved);
    assert.equal(readFileSync(join(workspaceFolder(), ".offload-lens", ".gitignore"), "utf8"), "*\n");
  });

  it("keeps the measured numbers beside the keys until the block changes", async () => {
    await setProfileSettings(SHORT);
    await profileSample();
    const document = await vscode.workspace.openTextDocument(join(workspaceFolder(), "veomni.yaml"));
    await vscode.window.showTextDocument(document);
    const measured = async () => (await hintLabels(document)).filter((label) => label.includes("measured on"));
    const labels = await eventually("the measured numbers", async () => {
      const found = await measured();
      return found.length === 0 ? undefined : found;
    });
    assert.equal(labels.length, 3);
    assert.match(labels[0] ?? "", /192\sKiB.* after forward, step .* · measured on cpu$/);
    assert.match(labels[1] ?? "", /^3 × 64\.0\sKiB each way, .* hidden · measured on cpu$/);
    assert.match(labels[2] ?? "", /^3 new, 6 reused; 192\sKiB pinned · measured on cpu$/);

    const line = document
      .getText()
      .slice(0, document.getText().indexOf("activation_offload_modules"))
      .split("\n").length;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(line, 0), "    # another\n");
    await vscode.workspace.applyEdit(edit);
    await eventually("the numbers to go", async () => ((await measured()).length === 0 ? true : undefined));
    const back = new vscode.WorkspaceEdit();
    back.delete(document.uri, new vscode.Range(line, 0, line + 1, 0));
    await vscode.workspace.applyEdit(back);
    await eventually("the numbers to come back", async () => ((await measured()).length === 3 ? true : undefined));
    await vscode.commands.executeCommand("workbench.action.files.revert");
  });

  it("runs the strategies of the settings on their device, and refuses others", async () => {
    await setProfileSettings({ ...SHORT, device: "cpu", strategies: ["verl_double_buffer", "save_on_cpu"] });
    await profileSample();
    const profile = readContainer(readFileSync(api.lastSaved() ?? ""));
    assert.ok(profile.ok, profile.ok ? "" : profile.problem.message);
    const { runs } = profile.value.result;
    assert.deepEqual(
      runs.map((run) => [run.strategy, run.gradients.equalToBaseline]),
      [
        ["verl_double_buffer", true],
        ["save_on_cpu", true],
      ],
    );
    await setProfileSettings({ strategies: ["everything"] });
    await profileSample();
    assert.equal(api.lastProblem()?.code, "SETTING_INVALID");
    await setProfileSettings({ strategies: ["none"], device: "gpu" });
    await profileSample();
    assert.equal(api.lastProblem()?.code, "SETTING_INVALID");
  });

  it("asks for device and strategies, remembers them and runs", async () => {
    await setProfileSettings({ ...SHORT, device: "cpu", strategies: ["none", "veomni_async"] });
    await openConfig("veomni.yaml");
    const before = api.lastSaved();
    let ended = false;
    const running = vscode.commands.executeCommand("offloadLens.profileWith").then(() => {
      ended = true;
    });
    // The choice of last time comes first and is picked already: accepting is enough, however often.
    await eventually("the profile to be chosen and run", async () => {
      if (ended) return true;
      await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
      await new Promise((resolve) => setTimeout(resolve, 200));
      return undefined;
    });
    await running;
    assert.notEqual(api.lastSaved(), before);
    const kept = vscode.workspace.getConfiguration("offloadLens.profile");
    assert.equal(kept.inspect("device")?.workspaceValue, "cpu");
    assert.deepEqual(kept.inspect("strategies")?.workspaceValue, ["none", "veomni_async"]);
  });

  it("shows one message when the process is killed, and the next profile works", async () => {
    const shown = api.problemsShown();
    const { pid, ended } = await startLongProfile(api);
    process.kill(pid, "SIGKILL");
    await ended;
    assert.equal(api.problemsShown(), shown + 1);
    assert.equal(api.lastProblem()?.code, "PROFILER_KILLED");
    assert.equal(api.profilerPid(), undefined);

    await setProfileSettings(SHORT);
    const before = api.lastSaved();
    await profileSample();
    assert.equal(api.problemsShown(), shown + 1);
    assert.notEqual(api.lastSaved(), before);
    assert.ok(existsSync(api.lastSaved() ?? ""));
  });

  it("can be cancelled: no message, no process left, nothing saved", async () => {
    const shown = api.problemsShown();
    const before = api.lastSaved();
    const { pid, ended } = await startLongProfile(api);
    api.cancelProfile();
    await ended;
    assert.equal(api.problemsShown(), shown);
    assert.equal(api.lastProblem()?.code, "CANCELLED");
    assert.equal(api.lastSaved(), before);
    await eventually("the process to end", () => (isAlive(pid) ? undefined : true));
  });

  it("runs one at a time", async () => {
    const { pid, ended } = await startLongProfile(api);
    await vscode.commands.executeCommand("offloadLens.profile");
    assert.equal(api.profilerPid(), pid);
    api.cancelProfile();
    await ended;
  });

  it("explains what is missing, with a code", async () => {
    const text = readFileSync(join(workspaceFolder(), "veomni.yaml"), "utf8");
    await openNewConfig("hub.yaml", text.replace("path: ./checkpoint", "path: nobody/nothing"));
    const shown = api.problemsShown();
    await vscode.commands.executeCommand("offloadLens.profile");
    assert.equal(api.problemsShown(), shown + 1);
    assert.equal(api.lastProblem()?.code, "MODEL_NOT_IN_CACHE");

    await openNewConfig("text.yaml", text.replace(/modules:\n +- model\.layers\.\{\*\}/, "modules: model.layers.*"));
    await vscode.commands.executeCommand("offloadLens.profile");
    assert.equal(api.lastProblem()?.code, "CONFIG_PATTERNS_NOT_LIST");
  });
});
