import { beforeEach, describe, expect, it, vi } from "vitest";

interface File {
  readonly path: string;
  text: string;
}

const editor = vi.hoisted(() => ({ files: [] as File[], open: [] as File[], reads: 0 }));

function uriOf(path: string) {
  return { scheme: "file", path, fsPath: path, toString: () => path };
}

vi.mock("vscode", () => ({
  EventEmitter: class {
    event = () => ({ dispose: () => undefined });
  },
  workspace: {
    getConfiguration: () => ({ get: () => undefined }),
    getWorkspaceFolder: () => undefined,
    workspaceFolders: [],
    get textDocuments() {
      return editor.open.map((file) => ({
        uri: uriOf(file.path),
        languageId: "shellscript",
        getText: () => file.text,
      }));
    },
    findFiles: async () => editor.files.map(({ path }) => uriOf(path)),
    fs: {
      stat: async () => ({ size: 100 }),
      readFile: async ({ path }: { path: string }) => {
        editor.reads++;
        const file = editor.files.find((each) => each.path === path);
        if (file === undefined) throw new Error("gone");
        return new TextEncoder().encode(file.text);
      },
    },
  },
}));

const { analyse } = await import("../../../../src/extension/document/documentAnalysis.js");
const { launchesOf, learnLaunches } = await import("../../../../src/extension/document/workspaceLaunches.js");

type Document = Parameters<typeof learnLaunches>[0];

const text = "model:\n  ops_implementation: {}\ndata:\n  train_path: a.jsonl\ntrain:\n  max_steps: 10\n";
const task = "torchrun tasks/train_text.py configs/a.yaml";

function open(content = text): Document {
  const uri = uriOf("/w/configs/a.yaml");
  return { uri, languageId: "yaml", version: 1, getText: () => content } as unknown as Document;
}

async function found(document: Document): Promise<readonly string[]> {
  return (await analyse(document)).diagnostics.map(({ severity, code }) => `${severity} ${code}`);
}

async function learn(document: Document): Promise<boolean> {
  return learnLaunches(document, (await analyse(document)).diagnostics);
}

beforeEach(() => {
  editor.files = [];
  editor.open = [];
  editor.reads = 0;
  vi.useRealTimers();
});

describe("scripts of the workspace", () => {
  it("decide about a missing key once they have been read", async () => {
    editor.files = [{ path: "/w/run.sh", text: `${task}\n` }];
    const document = open();
    expect(await found(document)).toEqual(["information missing-key"]);
    expect(await learn(document)).toBe(true);
    expect(launchesOf(document)).toMatchObject([{ script: "/w/run.sh", line: 1 }]);
    expect(await found(document)).toEqual(["error missing-key"]);
  });

  it("count as they stand in the editor, and are read again after a while", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    editor.files = [{ path: "/w/run.sh", text: `${task}\n` }];
    editor.open = [{ path: "/w/run.sh", text: `${task} --model.model_path x\n` }];
    const document = open();
    expect(await learn(document)).toBe(true);
    expect(await found(document)).toEqual([]);
    expect(await learn(document)).toBe(false);
    editor.open = [];
    vi.advanceTimersByTime(60_000);
    expect(await learn(document)).toBe(true);
    expect(await found(document)).toEqual(["error missing-key"]);
  });

  it("are not read for files that miss nothing, and change nothing where they start other files", async () => {
    editor.files = [{ path: "/w/run.sh", text: "torchrun tasks/train_text.py configs/b.yaml\n" }];
    expect(await learn(open(`${text.replace("{}", "{}\n  model_path: x")}`))).toBe(false);
    expect(editor.reads).toBe(0);
    const document = open();
    expect(await learn(document)).toBe(false);
    expect(await found(document)).toEqual(["information missing-key"]);
  });

  it("that are gone meanwhile are left out", async () => {
    editor.files = [{ path: "/w/run.sh", text: `${task}\n` }];
    const document = open();
    const { diagnostics } = await analyse(document);
    const learning = learnLaunches(document, diagnostics);
    editor.files = [];
    expect(await learning).toBe(false);
  });
});
