import { readdirSync, readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";

const editor = vi.hoisted(() => ({
  values: {} as Record<string, unknown>,
  updates: [] as unknown[],
  hasFolder: true,
  listeners: [] as ((change: { affectsConfiguration(name: string): boolean }) => void)[],
}));

vi.mock("vscode", () => ({
  ConfigurationTarget: { Global: 1, Workspace: 2 },
  workspace: {
    getConfiguration: (section: string) => ({
      get: (name: string) => editor.values[`${section}.${name}`],
      update: (...change: unknown[]) => editor.updates.push(change),
    }),
    get workspaceFolders() {
      return editor.hasFolder ? [{}] : undefined;
    },
    onDidChangeConfiguration: (listener: (typeof editor.listeners)[number]) => {
      editor.listeners.push(listener);
      return { dispose: () => undefined };
    },
  },
}));

const settings = await import("../../../src/extension/settings.js");

interface Contributed {
  readonly default: unknown;
}

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const contributed: Readonly<Record<string, Contributed>> = manifest.contributes.configuration.properties;

function change(name: string): void {
  const affectsConfiguration = (asked: string) => name === asked || name.startsWith(`${asked}.`);
  for (const listener of editor.listeners) listener({ affectsConfiguration });
}

beforeEach(() => {
  Object.assign(editor, { values: {}, updates: [], hasFolder: true, listeners: [] });
});

describe("the settings", () => {
  it("are those of package.json, with the same defaults", () => {
    const known = Object.entries(settings.SETTING_DEFAULTS).map(([name, value]) => [`offloadLens.${name}`, value]);
    expect(Object.fromEntries(known)).toEqual(
      Object.fromEntries(Object.entries(contributed).map(([name, { default: value }]) => [name, value])),
    );
  });

  it("are read in one file", () => {
    const folder = join("src", "extension");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
    const readers = files.filter((name) =>
      /getConfiguration|affectsConfiguration/.test(readFileSync(join(folder, name), "utf8")),
    );
    expect(readers).toEqual(["settings.ts"]);
  });

  it("give the defaults where nobody sets one", () => {
    expect(settings.modelPathSetting(undefined)).toBe("");
    expect(settings.pythonSetting(undefined)).toBe("");
    expect(settings.pythonTimeLimitSeconds(undefined)).toEqual({ ok: true, value: 300 });
    expect(settings.simulatedDevice(undefined)).toBe("sim:H200");
    expect(settings.givenWorkload(undefined)).toEqual({ seqLen: null, microBatch: null, layers: null, ranks: null });
    expect(settings.profileSettings(undefined)).toEqual({
      ok: true,
      value: { device: "auto", strategies: ["none", "veomni_async"] },
    });
  });

  it("give what is set", () => {
    editor.values = {
      "offloadLens.modelPath": " ~/models/mine ",
      "offloadLens.simulation.device": " RTX 4090 ",
      "offloadLens.profile.seqLen": 4096,
      "offloadLens.profile.microBatch": 2,
      "offloadLens.profile.steps": 7,
      "offloadLens.profile.layers": 4,
      "offloadLens.profile.ranks": 16,
      "offloadLens.profile.device": "sim:L20",
      "offloadLens.profile.strategies": ["verl_sync"],
    };
    expect(settings.modelPathSetting(undefined)).toBe("~/models/mine");
    expect(settings.simulatedDevice(undefined)).toBe("sim:RTX 4090");
    expect(settings.givenWorkload(undefined)).toEqual({ seqLen: 4096, microBatch: 2, layers: 4, ranks: 16 });
    expect(settings.profileSettings(undefined)).toEqual({
      ok: true,
      value: { device: "sim:L20", strategies: ["verl_sync"], seqLens: [4096], microBatch: 2, steps: 7, layers: 4 },
    });
  });

  it.each(["modelPath", "python", "simulation.device"])("take %s for absent where it is no text", (name) => {
    editor.values = { [`offloadLens.${name}`]: 7 };
    expect(settings.modelPathSetting(undefined)).toBe("");
    expect(settings.pythonSetting(undefined)).toBe("");
    expect(settings.simulatedDevice(undefined)).toBe("sim:H200");
  });

  it.each([
    ["profile.device", "tpu"],
    ["profile.device", 3],
    ["profile.device", null],
    ["profile.strategies", []],
    ["profile.strategies", ["none", "else"]],
    ["profile.strategies", "none"],
    ["profile.seqLen", 0],
    ["profile.microBatch", 1.5],
    ["profile.steps", "5"],
    ["profile.layers", -1],
    ["profile.ranks", 0],
  ])("refuse %s as %j, by its name", (name, value) => {
    editor.values = { [`offloadLens.${name}`]: value };
    const read = settings.profileSettings(undefined);
    expect(read).toMatchObject({ ok: false, problem: { code: "SETTING_INVALID" } });
    expect(read.ok ? "" : read.problem.message).toBe(`offloadLens.${name} is ${JSON.stringify(value)}.`);
  });

  it.each([0, 86_401, 1.5, "60", Number.NaN])("refuse a time limit of %j", (value) => {
    editor.values = { "offloadLens.pythonTimeLimitSeconds": value };
    expect(settings.pythonTimeLimitSeconds(undefined)).toMatchObject({ problem: { code: "SETTING_INVALID" } });
  });

  it("say of a file its layout and the memory of the host", () => {
    const uri = {} as Parameters<typeof settings.checkSettings>[0];
    expect(settings.checkSettings(uri)).toEqual({ hostMemoryBytes: totalmem() });
    editor.values = { "offloadLens.layout": "flat", "offloadLens.hostMemoryGb": 1.5 };
    expect(settings.checkSettings(uri)).toEqual({ layout: "flat", hostMemoryBytes: 1.5 * 2 ** 30 });
    editor.values = { "offloadLens.layout": "round", "offloadLens.hostMemoryGb": -2 };
    expect(settings.checkSettings(uri)).toEqual({ hostMemoryBytes: totalmem() });
  });

  it("are stored in the workspace, or for the user where no folder is open", async () => {
    await settings.storeSettings({ modelPath: "a", "profile.device": "cpu" });
    editor.hasFolder = false;
    await settings.storeSettings({ modelPath: "b" });
    expect(editor.updates).toEqual([
      ["modelPath", "a", 2],
      ["profile.device", "cpu", 2],
      ["modelPath", "b", 1],
    ]);
  });

  it("call back for those that were asked for", () => {
    const changed = vi.fn();
    settings.whenSettingsChange(["profile", "modelPath"], changed);
    for (const name of ["profile.seqLen", "modelPath", "python", "simulation.device"]) change(`offloadLens.${name}`);
    expect(changed).toHaveBeenCalledTimes(2);
  });
});
