import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { match } from "../../../../src/cli/command/match.js";
import type { CliIo } from "../../../../src/cli/io.js";
import { tensorFile } from "../../modules/memoryFiles.js";

const trees = new URL("../../../fixtures/modules/", import.meta.url).pathname;
const qwen3 = ["--tree", join(trees, "qwen3.json.gz")];
let directory = "";

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "match-"));
  const tensors = ["model.layers.0.mlp.up_proj.weight", "model.layers.1.mlp.up_proj.weight"];
  writeFileSync(join(directory, "model.safetensors"), tensorFile(tensors));
  writeFileSync(join(directory, "config.json"), JSON.stringify({ model_type: "qwen3", num_hidden_layers: 2 }));
  writeFileSync(
    join(directory, "ppo.yaml"),
    [
      "actor_rollout_ref:",
      "  model:",
      "    path: .",
      "  actor:",
      "    veomni:",
      "      enable_async_activation_offload: true",
      '      activation_offload_modules: ["model.layers.{*}"]',
    ].join("\n"),
  );
});
afterAll(() => rmSync(directory, { recursive: true }));

async function run(...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const io: CliIo = { stdout: (text) => out.push(text), stderr: (text) => err.push(text), cwd: directory, env: {} };
  const code = await match(args, io);
  return { code, stdout: out.join(""), stderr: err.join("") };
}

describe("match", () => {
  it("prints the selection of a tree file as JSON", async () => {
    const { code, stdout, stderr } = await run(...qwen3, "--pattern", "model.layers.[01]", "lm_head", "--json");
    expect(code).toBe(0);
    expect(stderr).toBe("");
    const result = JSON.parse(stdout);
    expect(Object.keys(result)).toEqual(["model", "patterns", "selected", "depth", "error"]);
    expect(result.model).toMatchObject({
      source: "tree-file",
      exact: true,
      modelType: "qwen3",
      architecture: "Qwen3ForCausalLM",
    });
    expect(result.selected[2]).toEqual({
      name: "lm_head",
      type: "Linear",
      index: 2,
      effectiveIndex: 2,
      staysOnDevice: true,
    });
  });

  it("exits 1 where the framework would refuse", async () => {
    const nothing = await run(...qwen3, "--pattern", "nothing", "--json");
    expect([nothing.code, JSON.parse(nothing.stdout).error.type]).toEqual([1, "ValueError"]);
    const typeError = await run(...qwen3, "--pattern", "model.{*}", "--json");
    expect([typeError.code, JSON.parse(typeError.stdout).error.type]).toEqual([1, "TypeError"]);
  });

  it("folds runs of layers in the text report", async () => {
    const { stdout } = await run(...qwen3, "--pattern=model.layers.{*}");
    expect(stdout).toContain("Selected: 32 of 32 layers, the last stays on the device (depth 32)");
    expect(stdout).toContain("0 … 30  model.layers.0 … model.layers.30  Qwen3DecoderLayer  moves");
    expect(stdout).toContain("31  model.layers.31  Qwen3DecoderLayer  stays on the device");
  });

  it("explains when asked", async () => {
    const short = await run(...qwen3, "--pattern", "model.layers.{*}.mlp");
    const long = await run(...qwen3, "--pattern", "model.layers.{*}.mlp", "--explain");
    expect(short.stdout).toContain("IGNORED_SUFFIX");
    expect(short.stdout).not.toContain("is ignored");
    expect(long.stdout).toContain("is ignored");
  });

  it("reads a checkpoint and the patterns and model of a config", async () => {
    const byModel = await run("--model", ".", "--auto", "--json");
    expect(JSON.parse(byModel.stdout)).toMatchObject({ depth: 2, model: { source: "checkpoint" } });
    const byConfig = await run("--config", "ppo.yaml", "--json");
    expect([byConfig.code, JSON.parse(byConfig.stdout).depth]).toEqual([0, 2]);
  });

  it("reads config.json alone and models by id", async () => {
    const byConfig = await run("--config-json", "config.json", "--pattern", "model.layers.{*}", "--json");
    expect(JSON.parse(byConfig.stdout)).toMatchObject({ depth: 2, model: { source: "config-json", exact: false } });
    const byId = await run("--model", "Qwen/Qwen3-8B", "--auto", "--json");
    expect(JSON.parse(byId.stdout)).toMatchObject({ depth: 36, model: { architecture: "Qwen3ForCausalLM" } });
    const lora = await run("--model", "Qwen/Qwen3-8B", "--lora", "--auto", "--json");
    expect(JSON.parse(lora.stdout).selected[0].name).toBe("base_model.model.model.layers.0");
    expect((await run("--model", "nobody/nothing", "--auto")).stderr).toContain("MODEL_NOT_IN_CACHE");
    expect((await run("--config-json", "nowhere.json", "--auto")).stderr).toContain("MODEL_CONFIG_MISSING");
  });

  it("adds the effects of a step when explaining, and only then", async () => {
    const args = [...qwen3, "--pattern", "model.layers.{*}", "--json"];
    expect(JSON.parse((await run(...args)).stdout)).not.toHaveProperty("effects");
    const explained = JSON.parse((await run(...args, "--explain", "--seq", "8192", "--micro-batch", "2")).stdout);
    expect(Object.keys(explained)).toEqual(["model", "patterns", "selected", "depth", "error", "effects"]);
    expect(explained.effects.totals.freedAfterForward.bytes).toBe(31 * 2 * 8192 * 4096 * 2);
    const off = await run(...qwen3, "--pattern", "model.layers.{*}", "--explain", "--gc", "off");
    expect(off.stdout).toContain("NOTHING_MOVES");
  });

  it("builds the model in an interpreter that the user names", async () => {
    const python = await run("--model", ".", "--python", "./nowhere/python", "--auto");
    expect([python.code, python.stdout]).toEqual([1, ""]);
    expect(python.stderr).toContain("PYTHON_MISSING");
    expect((await run("--model", "Qwen/Qwen3-8B", "--python", "p", "--auto")).stderr).toContain("MODEL_CONFIG_MISSING");
  });

  it("fails with coded messages and an empty stdout", async () => {
    const missing = await run("--model", "nowhere", "--auto", "--json");
    expect([missing.code, missing.stdout]).toEqual([1, ""]);
    expect(missing.stderr).toContain("MODEL_DIRECTORY_MISSING");
    const damaged = join(directory, "damaged.json.gz");
    writeFileSync(damaged, new Uint8Array([0x1f, 0x8b, 1, 2, 3]));
    expect((await run("--tree", damaged, "--auto")).stderr).toContain("TREE_FILE_NOT_GZIP");
    expect((await run("--tree", "config.json", "--auto")).stderr).toContain("TREE_FILE_INVALID");
    expect((await run("--config", "config.json")).stderr).toContain("CONFIG_WITHOUT_ENGINE_BLOCK");
  });

  it("describes itself", async () => {
    expect(await run("--help")).toMatchObject({ code: 0, stdout: expect.stringContaining("Usage:"), stderr: "" });
  });

  it.each([
    [[]],
    [["--auto"]],
    [[...qwen3]],
    [[...qwen3, "--auto", "--pattern", "x"]],
    [[...qwen3, "--model", ".", "--auto"]],
    [[...qwen3, "--pattern"]],
    [[...qwen3, "--auto", "--unknown"]],
    [["--config-json", "config.json"]],
    [["--tree"]],
  ])("exits 2 on %j", async (args) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^[A-Z_]+: .*\nSee `offload-lens match --help`\.\n$/);
  });

  it("refuses a configuration whose pattern list is none", async () => {
    const engine = "actor_rollout_ref:\n  actor:\n    veomni:\n      enable_async_activation_offload: true\n";
    writeFileSync(join(directory, "number.yaml"), `${engine}      activation_offload_modules: 5\n`);
    const { code, stdout, stderr } = await run(...qwen3, "--config", "number.yaml");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("CONFIG_PATTERNS_NOT_LIST: activation_offload_modules in actor_rollout_ref.actor.veomni");
  });

  it.each([
    ["gone.yaml", "PATH_MISSING: gone.yaml"],
    [".", "PATH_UNREADABLE: . is not a regular file."],
  ])("says why the configuration %s cannot be read", async (config, message) => {
    const { code, stderr } = await run(...qwen3, "--config", config);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it("says unasked that config.json cannot be used", async () => {
    const broken = join(directory, "broken");
    mkdirSync(broken, { recursive: true });
    writeFileSync(join(broken, "model.safetensors"), tensorFile(["model.layers.0.mlp.up_proj.weight"]));
    writeFileSync(join(broken, "config.json"), "{");
    const { code, stdout, stderr } = await run("--model", "broken", "--pattern", "model.layers.{*}", "--json");
    expect(code).toBe(0);
    expect(stderr).toBe("Note: config.json cannot be used. It is not valid JSON.\n");
    expect(JSON.parse(stdout).depth).toBe(1);
  });

  it("says in the automatic mode alone that another class has another list", async () => {
    const thinker = {
      text_config: { num_hidden_layers: 1 },
      vision_config: { depth: 1 },
      audio_config: { encoder_layers: 1 },
    };
    writeFileSync(join(directory, "thinker.json"), JSON.stringify({ model_type: "qwen2_5_omni_thinker", ...thinker }));
    const source = ["--config-json", "thinker.json"];
    const automatic = await run(...source, "--auto", "--json");
    expect(automatic.stderr).toContain("VeOmni's own class sets Qwen2_5OmniDecoderLayer");
    expect(JSON.parse(automatic.stdout).selected.map(({ name }: { name: string }) => name)).toEqual([
      "audio_tower",
      "audio_tower.layers.0",
      "visual",
      "visual.blocks.0",
      "model.layers.0",
    ]);
    expect((await run(...source, "--pattern", "model.layers.{*}")).stderr).toBe("");
  });

  it("calls a configuration too large that is too large", async () => {
    writeFileSync(join(directory, "large.yaml"), `# ${"x".repeat(5 * 2 ** 20)}\n`);
    const { code, stderr } = await run(...qwen3, "--config", "large.yaml");
    expect(code).toBe(1);
    expect(stderr).toContain("FILE_TOO_LARGE");
    expect(stderr).toContain("4 Mi characters");
  });

  it("lists its exit codes in the help", async () => {
    const { stdout } = await run("--help");
    expect(stdout).toContain("Exit: 0 ");
    for (const flag of ["--python", "--time-limit", "--lora", "--explain", "--cache-limit-gb"])
      expect(stdout).toContain(flag);
  });
});
