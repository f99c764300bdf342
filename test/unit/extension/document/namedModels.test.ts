import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

const editor = vi.hoisted(() => ({ folder: "", setting: undefined as unknown }));

vi.mock("vscode", () => ({
  EventEmitter: class {
    event = () => ({ dispose: () => undefined });
  },
  workspace: {
    getConfiguration: () => ({ get: () => editor.setting }),
    getWorkspaceFolder: () => undefined,
    get workspaceFolders() {
      return [{ uri: { scheme: "file", fsPath: editor.folder } }];
    },
  },
}));

const { learnModels, namedModels } = await import("../../../../src/extension/document/namedModels.js");
const { areSameOptions, checkOptionsOf } = await import("../../../../src/extension/document/checkOptions.js");
const { analyse } = await import("../../../../src/extension/document/documentAnalysis.js");

type Document = Parameters<typeof learnModels>[0];

function open(text: string, scheme = "file"): Document {
  const path = join(editor.folder, "run.yaml");
  const uri = { scheme, path, fsPath: path, toString: () => path };
  return { uri, languageId: "yaml", version: 1, getText: () => text } as unknown as Document;
}

function writeModel(name: string, config: unknown): void {
  mkdirSync(join(editor.folder, name), { recursive: true });
  writeFileSync(join(editor.folder, name, "config.json"), JSON.stringify(config));
}

const run = (model: string) =>
  `actor_rollout_ref:\n  model:\n    path: ${model}\n  actor:\n    veomni:\n      attn_implementation: flash_attention_2\n`;

async function codesOf(document: Document): Promise<readonly string[]> {
  return (await analyse(document)).diagnostics.map(({ code }) => code);
}

async function learn(document: Document): Promise<boolean> {
  return learnModels(document, (await analyse(document)).settings);
}

beforeEach(() => {
  editor.folder = mkdtempSync(join(tmpdir(), "named-models-"));
  editor.setting = undefined;
});

afterEach(() => {
  vi.useRealTimers();
  rmSync(editor.folder, { recursive: true, force: true });
});

describe("models that an open document names", () => {
  it("are known by their config.json once it has been read; the analysis before does not wait", async () => {
    writeModel("mine", { model_type: "deepseek_v4", head_dim: 512 });
    const document = open(run("./mine"));
    expect(await codesOf(document)).not.toContain("kernel-for-model");
    expect(await learn(document)).toBe(true);
    expect([...namedModels(document)]).toEqual([["./mine", { modelType: "deepseek_v4", headDim: 512 }]]);
    expect(await codesOf(document)).toContain("kernel-for-model");
  });

  it("correct what the name alone says", async () => {
    writeModel("DeepSeek-V4-of-mine", { model_type: "qwen3" });
    const document = open(run("./DeepSeek-V4-of-mine"));
    expect(await codesOf(document)).toContain("kernel-for-model");
    expect(await learn(document)).toBe(true);
    expect(await codesOf(document)).not.toContain("kernel-for-model");
  });

  it("are read once in a while: what stays the same is no news, what changed is", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    writeModel("mine", { model_type: "deepseek_v4" });
    const document = open(run("./mine"));
    expect(await learn(document)).toBe(true);
    const before = checkOptionsOf(document);
    writeModel("mine", { model_type: "qwen3" });
    expect(await learn(document)).toBe(false);
    vi.setSystemTime(Date.now() + 6_000);
    expect(await learn(document)).toBe(true);
    expect(areSameOptions(before, checkOptionsOf(document))).toBe(false);
    const after = checkOptionsOf(document);
    vi.setSystemTime(Date.now() + 6_000);
    expect(await learn(document)).toBe(false);
    expect(areSameOptions(after, checkOptionsOf(document))).toBe(true);
  });

  it("that cannot be read say nothing, nor does the model of the setting", async () => {
    writeModel("other", { model_type: "deepseek_v4", head_dim: 512 });
    editor.setting = join(editor.folder, "other");
    const document = open(run("./absent"));
    expect(await learn(document)).toBe(false);
    writeModel("list", []);
    expect(await learn(open(run("./list")))).toBe(false);
    expect(namedModels(document).size).toBe(0);
  });
});
