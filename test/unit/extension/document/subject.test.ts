import { beforeEach, describe, expect, it, vi } from "vitest";

interface FakeDocument {
  readonly languageId: string;
  readonly version: number;
  readonly uri: { readonly path: string; toString(): string };
  getText(): string;
}

const editor = vi.hoisted(() => ({
  active: undefined as unknown,
  visible: [] as unknown[],
  documents: new Map<string, unknown>(),
}));

vi.mock("vscode", () => ({
  Uri: { parse: (text: string) => text },
  workspace: {
    getConfiguration: () => ({ get: () => undefined }),
    openTextDocument: async (uri: string) => editor.documents.get(uri) ?? Promise.reject(new Error("gone")),
  },
  window: {
    get activeTextEditor() {
      return editor.active === undefined ? undefined : { document: editor.active };
    },
    get visibleTextEditors() {
      return editor.visible.map((document) => ({ document }));
    },
    tabGroups: { activeTabGroup: { tabs: [] }, all: [] },
  },
}));

const { blockAddress, decidingBlock, modelPathFor, subjectOf } = await import(
  "../../../../src/extension/document/subject.js"
);

type Blocks = Parameters<typeof decidingBlock>[0];

const span = { start: 0, end: 0 };
const block = (blockPath: string, more: Partial<Blocks[number]> = {}): Blocks[number] => ({
  blockPath,
  blockSpan: span,
  enabled: undefined,
  patterns: undefined,
  ...more,
});

function documentOf(path: string, languageId: string, text: string): FakeDocument {
  const document = { languageId, version: 1, uri: { path, toString: () => path }, getText: () => text };
  editor.documents.set(path, document);
  return document;
}

const actor = (enabled: boolean) =>
  `  actor:\n    strategy: veomni\n    veomni:\n      enable_activation_offload: ${enabled}\n`;
const twoBlocks = [
  "actor_rollout_ref:\n",
  actor(false),
  "critic:\n  strategy: veomni\n  veomni:\n    enable_activation_offload: true\n    activation_offload_mode: async\n",
].join("");

beforeEach(() => {
  Object.assign(editor, { active: undefined, visible: [], documents: new Map() });
});

describe("the block that decides", () => {
  const [first, lists, offloads] = [
    block("first"),
    block("lists", { modulesKeySpan: span }),
    block("offloads", { enabled: true }),
  ];

  it("is the wanted one, else the first that offloads, that lists modules, the first", () => {
    expect(decidingBlock([first, lists, offloads], "first")).toBe(first);
    expect(decidingBlock([first, lists, offloads], undefined)).toBe(offloads);
    expect(decidingBlock([first, lists, offloads], "gone")).toBe(offloads);
    expect(decidingBlock([first, lists], undefined)).toBe(lists);
    expect(decidingBlock([first, block("other")], undefined)).toBe(first);
    expect(decidingBlock([], "first")).toBeUndefined();
  });
});

describe("the model that helps with a block", () => {
  it("is its own, else the first that the document names", () => {
    const [mine, other] = [block("a", { modelPath: "mine" }), block("b", { modelPath: "other" })];
    expect(modelPathFor([mine, other], other)).toBe("other");
    expect(modelPathFor([mine, other], block("c"))).toBe("mine");
    expect(modelPathFor([block("c")])).toBeUndefined();
  });
});

describe("the address that a command is given", () => {
  it("is taken only where it has both parts", () => {
    expect(blockAddress({ uri: "file:///a.yaml", blockPath: "", more: 1 })).toEqual({
      uri: "file:///a.yaml",
      blockPath: "",
    });
    for (const other of [undefined, null, "a", 1, {}, { uri: "a" }, { uri: 1, blockPath: "" }])
      expect(blockAddress(other)).toBeUndefined();
  });
});

describe("what a command is about", () => {
  it("is the document and block of its address", async () => {
    const document = documentOf("/run.yaml", "yaml", twoBlocks);
    const named = await subjectOf({ uri: "/run.yaml", blockPath: "actor_rollout_ref.actor.veomni" });
    expect(named?.document).toBe(document);
    expect(named?.block.blockPath).toBe("actor_rollout_ref.actor.veomni");
    expect(named?.settings.map(({ blockPath }) => blockPath)).toEqual([
      "actor_rollout_ref.actor.veomni",
      "critic.veomni",
    ]);
  });

  it("is the active document, also one without a block", async () => {
    editor.active = documentOf("/run.yaml", "yaml", twoBlocks);
    expect((await subjectOf(undefined))?.settings).toHaveLength(2);
    editor.active = documentOf("/notes.yaml", "yaml", "a: 1\n");
    editor.visible = [documentOf("/run.yaml", "yaml", twoBlocks)];
    expect(await subjectOf(undefined)).toBeUndefined();
  });

  it("is a visible config where no text editor is active, YAML before scripts", async () => {
    const script = "python -m verl.trainer.main_ppo actor_rollout_ref.actor.veomni.enable_activation_offload=True\n";
    const yaml = documentOf("/run.yaml", "yaml", twoBlocks);
    editor.visible = [documentOf("/run.sh", "shellscript", script), documentOf("/a.txt", "plaintext", "a"), yaml];
    expect((await subjectOf(undefined))?.document).toBe(yaml);
  });

  it("is nothing where nothing is open, and an address that leads nowhere is an error", async () => {
    expect(await subjectOf(undefined)).toBeUndefined();
    await expect(subjectOf({ uri: "/gone.yaml", blockPath: "" })).rejects.toThrow("gone");
  });
});
