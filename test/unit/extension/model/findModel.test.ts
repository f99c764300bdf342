import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const editor = vi.hoisted(() => ({ folder: "" }));
vi.mock("vscode", () => ({
  EventEmitter: class {
    readonly event = () => ({ dispose: () => undefined });
    readonly fire = () => undefined;
  },
  workspace: {
    getConfiguration: () => ({ get: () => "" }),
    get workspaceFolders() {
      return [{ uri: { scheme: "file", fsPath: editor.folder } }];
    },
  },
}));
const { findModel } = await import("../../../../src/extension/model/findModel.js");
const { modelConfigText } = await import("../../../../src/extension/model/modelConfigText.js");
const { TreeCache } = await import("../../../../src/extension/model/treeCache.js");

const secret = "s3cr3t";

beforeAll(() => {
  editor.folder = mkdtempSync(join(tmpdir(), "find-model-"));
  mkdirSync(join(editor.folder, secret, "broken"), { recursive: true });
  writeFileSync(join(editor.folder, secret, "broken", "config.json"), "{");
  writeFileSync(join(editor.folder, secret, "tree.json"), '{"named_modules": 7}');
  vi.stubEnv("OFFLOAD_LENS_TEST_PLACE", join(editor.folder, secret));
  vi.stubEnv("OFFLOAD_LENS_TEST_NAME", secret);
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(editor.folder, { recursive: true });
});

describe("the model of a config", () => {
  it.each([
    "$OFFLOAD_LENS_TEST_PLACE/broken",
    "${oc.env:OFFLOAD_LENS_TEST_PLACE}/broken",
    "$OFFLOAD_LENS_TEST_NAME/broken",
    "$OFFLOAD_LENS_TEST_PLACE/broken/config.json",
    "${OFFLOAD_LENS_TEST_PLACE}/tree.json",
  ])("is told without the values of variables: %s", async (written) => {
    const search = await findModel(undefined, written);
    if (search.kind !== "found") throw new Error("not found");
    expect(search.model.shown).toBe(written);
    const trees = new TreeCache(join(editor.folder, "dumps"));
    // What the Modules view, the lens, the profile, What If and the exact tree say of it.
    for (const outcome of [await trees.treeOf(search.model), await modelConfigText(search.model)]) {
      if (outcome.ok) throw new Error("it can be read");
      expect(outcome.problem.code).toMatch(/^(MODEL|TREE)_/);
      expect(JSON.stringify(outcome.problem)).not.toContain(secret);
    }
  });

  it("is told as it lies where no variable is written", async () => {
    const search = await findModel(undefined, `${secret}/broken`);
    expect(search).toMatchObject({
      kind: "found",
      model: { shown: join(editor.folder, secret, "broken"), origin: "config" },
    });
  });
});
