import * as assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { readContainer } from "../../src/core/profile/readContainer.js";
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
    await openNewConfig("hub.yaml", text.replace("path: ./checkpoint", "path: Qwen/Qwen3-8B"));
    const shown = api.problemsShown();
    await vscode.commands.executeCommand("offloadLens.profile");
    assert.equal(api.problemsShown(), shown + 1);
    assert.equal(api.lastProblem()?.code, "MODEL_DIRECTORY_UNKNOWN");

    await openNewConfig("text.yaml", text.replace(/modules:\n +- model\.layers\.\{\*\}/, "modules: model.layers.*"));
    await vscode.commands.executeCommand("offloadLens.profile");
    assert.equal(api.lastProblem()?.code, "CONFIG_PATTERNS_NOT_LIST");
  });
});
