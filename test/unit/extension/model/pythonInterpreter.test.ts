import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

interface FakeExtension {
  readonly isActive: boolean;
  readonly exports?: unknown;
  readonly activate: () => Promise<unknown>;
}

const editor = vi.hoisted(() => ({
  setting: "" as unknown,
  folder: "",
  extension: undefined as FakeExtension | undefined,
}));

vi.mock("vscode", () => ({
  workspace: {
    getConfiguration: () => ({ get: () => editor.setting }),
    get workspaceFolders() {
      return [{ uri: { scheme: "file", fsPath: editor.folder } }];
    },
  },
  extensions: { getExtension: () => editor.extension },
}));

const { interpreterFor } = await import("../../../../src/extension/model/pythonInterpreter.js");

let environment = "";
const selecting = (path: unknown): FakeExtension => {
  const api = { environments: { getActiveEnvironmentPath: () => ({ id: "x", path }) } };
  return { isActive: false, activate: async () => api };
};

beforeAll(() => {
  editor.folder = mkdtempSync(join(tmpdir(), "interpreter-"));
  environment = join(editor.folder, "env");
  mkdirSync(join(environment, "bin"), { recursive: true });
  writeFileSync(join(environment, "bin", "python"), "");
});
afterAll(() => rmSync(editor.folder, { recursive: true }));
beforeEach(() => {
  editor.setting = "";
  editor.extension = undefined;
});

async function found(): Promise<unknown> {
  const interpreter = await interpreterFor(undefined);
  if (!interpreter.ok) return interpreter.problem.code;
  const { shown, ...rest } = interpreter.value;
  expect(shown).toBe(rest.path);
  return rest;
}

describe("interpreterFor", () => {
  it("takes the setting first: a name, a path from the folder, a variable", async () => {
    editor.extension = selecting(join(environment, "bin", "python"));
    const origin = "setting";
    editor.setting = " python3.12 ";
    expect(await found()).toEqual({ path: "python3.12", origin });
    editor.setting = "env/bin/python";
    expect(await found()).toEqual({ path: join(environment, "bin", "python"), origin });
    editor.setting = "${workspaceFolder}/env/bin/python";
    expect(await found()).toEqual({ path: join(environment, "bin", "python"), origin });
    editor.setting = "$OFFLOAD_LENS_NO_SUCH_VARIABLE/bin/python";
    expect(await found()).toBe("MODEL_PATH_VARIABLE_UNKNOWN");
  });

  it("shows a path with variables as it is written", async () => {
    vi.stubEnv("OFFLOAD_LENS_TEST_PLACE", "/s3cr3t");
    editor.setting = "$OFFLOAD_LENS_TEST_PLACE/bin/python";
    const value = { path: "/s3cr3t/bin/python", shown: "$OFFLOAD_LENS_TEST_PLACE/bin/python", origin: "setting" };
    expect(await interpreterFor(undefined)).toEqual({ ok: true, value });
    vi.unstubAllEnvs();
  });

  it("takes what the Python extension selects: an executable, or the folder of an environment", async () => {
    const origin = "Python extension";
    const path = join(environment, "bin", "python");
    for (const selected of [path, environment]) {
      editor.extension = selecting(selected);
      expect(await found()).toEqual({ path, origin });
    }
    const { activate } = selecting(path);
    editor.extension = {
      isActive: true,
      exports: await activate(),
      activate: () => Promise.reject(new Error("twice")),
    };
    expect(await found()).toEqual({ path, origin });
  });

  it("takes python3 where the Python extension is absent, fails, or says nothing of use", async () => {
    const useless = [
      undefined,
      { isActive: false, activate: () => Promise.reject(new Error("broken")) },
      { isActive: false, activate: async () => undefined },
      { isActive: false, activate: async () => ({ environments: {} }) },
      selecting(undefined),
      selecting(7),
      selecting(join(editor.folder, "absent")),
    ];
    for (const extension of useless) {
      editor.extension = extension;
      expect(await found()).toEqual({ path: "python3", origin: "default" });
    }
  });
});
