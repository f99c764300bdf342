import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { check } from "../../../../src/cli/command/check.js";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "offload-lens-models-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function codesFor(config: string | undefined, path = "./mine"): Promise<readonly string[]> {
  if (config !== undefined) {
    await mkdir(join(folder, "mine"), { recursive: true });
    await writeFile(join(folder, "mine", "config.json"), config);
  }
  const block = "  actor:\n    veomni:\n      attn_implementation: flash_attention_2\n";
  await writeFile(join(folder, "run.yaml"), `actor_rollout_ref:\n  model:\n    path: ${path}\n${block}`);
  let out = "";
  const io = {
    stdout: (text: string) => {
      out += text;
    },
    stderr: () => undefined,
    cwd: folder,
    env: {},
  };
  await check(["run.yaml", "--json"], io);
  return (JSON.parse(out) as { code: string; message: string }[]).map(({ code, message }) => {
    return `${code}${message.includes("by the name") ? " by name" : ""}`;
  });
}

describe("models that a configuration names", () => {
  it.each([
    ['{"model_type": "deepseek_v4", "head_dim": 512}', ["kernel-for-model"]],
    ['{"model_type": "somebodys_own", "head_dim": 512}', ["kernel-for-model"]],
    ['{"model_type": "qwen3", "head_dim": 128}', []],
    ["not JSON", []],
    ['{"model_type": 3}', []],
    ["[]", []],
  ])("are known by config.json: %s", async (config, expected) => {
    expect(await codesFor(config)).toEqual(expected);
  });

  it("are known by their names where there is none", async () => {
    expect(await codesFor(undefined, "/nowhere/DeepSeek-V4-Flash")).toEqual(["kernel-for-model by name"]);
  });
});
