import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { OffloadSettings } from "../../../../src/core/config/document/offloadSettings.js";
import { readOffloadSettings } from "../../../../src/core/config/readConfig.js";

const call = "python3 -m verl.trainer.main_ppo model_engine=veomni";
const block = "actor_rollout_ref.actor.veomni";

function settingsIn(words: string, path = "run.sh", environment = {}): readonly OffloadSettings[] {
  return readOffloadSettings(path, words, environment);
}

function only(words: string): OffloadSettings {
  const [settings, ...others] = settingsIn(`${call} ${words}\n`);
  if (settings === undefined) throw new Error("no settings");
  expect(others).toEqual([]);
  return settings;
}

describe("offload settings of command lines", () => {
  it("are those of the sample's configuration, in the sample's script", () => {
    const sample = (name: string): string => readFileSync(`media/sample/${name}`, "utf8");
    const script = settingsIn(sample("run_grpo.sh"));
    const yaml = readOffloadSettings("veomni.yaml", sample("veomni.yaml"));
    const said = ({
      blockPath,
      enabled,
      patterns,
      cacheLimitGb,
      gradientCheckpointing,
      microBatch,
    }: OffloadSettings) => ({
      ...{ blockPath, enabled, patterns, cacheLimitGb, gradientCheckpointing, microBatch },
    });
    const actor = yaml.find(({ blockPath }) => blockPath === block);
    expect(script.map(said)).toEqual(actor === undefined ? [] : [said(actor)]);
    expect(script[0]?.modelPath).toBe("./checkpoint");
    const { modulesKeySpan } = script[0] ?? {};
    expect(sample("run_grpo.sh").slice(modulesKeySpan?.start, modulesKeySpan?.end)).toBe("activation_offload_modules");
  });

  it("take what reaches Hydra: the later of two overrides, variables, a text instead of a list", () => {
    const list = `${block}.activation_offload_modules`;
    expect(only(`'${list}=["a.*"]' '${list}=["b.*","c"]'`).patterns).toEqual(["b.*", "c"]);
    expect(only(`${list}=[model.layers.*]`).patterns).toEqual(["model.layers.*"]);
    expect(only(`${list}=model.layers.*`).patterns).toBe("model.layers.*");
    const [settings] = settingsIn(`N=0.25\n${call} ${block}.activation_offload_host_cache_limit_gb=$N\n`);
    expect(settings?.cacheLimitGb).toBe(0.25);
  });

  it("select nothing where Hydra refuses the list", () => {
    for (const value of ["[model.layers.{*}]", '["model.layers.{*}"]', "[1,2]", "null"]) {
      const settings = only(`${block}.activation_offload_modules=${value}`);
      expect([value, settings.patternsNotTexts]).toEqual([value, true]);
    }
  });

  it("leave out what a comment cuts off the command", () => {
    const text = `${call} \\\n  # the actor\n  ${block}.enable_async_activation_offload=true\n`;
    expect(settingsIn(text)).toEqual([]);
  });

  it("keep the calls of a file apart", () => {
    const shell = (value: string) => `${call} ${block}.enable_async_activation_offload=${value}`;
    const text = `\`\`\`sh\n${shell("true")}\n\`\`\`\nand\n\`\`\`bash\n${shell("false")}\n\`\`\`\n`;
    expect(settingsIn(text, "README.md").map(({ blockPath, enabled }) => [blockPath, enabled])).toEqual([
      [block, true],
      [`${block} (2)`, false],
    ]);
  });

  it("read VeOmni's flags in their layout, where they say anything about offload", () => {
    const flags = (words: string) => settingsIn(`bash train.sh tasks/train_text.py config.yaml ${words}\n`, "run.sh");
    const offload = "--model.accelerator.offload_config";
    expect(
      flags(`${offload}.enable_async_activation yes ${offload}.activation_offload_modules 'model.layers.{*}' lm_head`),
    ).toMatchObject([
      {
        blockPath: "model.accelerator.offload_config",
        enabled: true,
        patterns: ["model.layers.{*}", "lm_head"],
      },
    ]);
    expect(flags("--train.accelerator.offload_config.enable_async_activation=true")).toMatchObject([
      { blockPath: "train.accelerator.offload_config", enabled: true, patterns: undefined },
    ]);
    expect(flags("--train.max_steps 5")).toEqual([]);
  });

  it("are read from Hydra's own record", () => {
    const text = `- model_engine=veomni\n- ${block}.enable_async_activation_offload=true\n`;
    expect(settingsIn(text, "outputs/.hydra/overrides.yaml")).toMatchObject([{ blockPath: block, enabled: true }]);
  });

  it("are none for scripts of other programs", () => {
    expect(settingsIn("ls -l\n")).toEqual([]);
    expect(settingsIn("", "README.md")).toEqual([]);
  });
});
