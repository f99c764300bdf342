import { describe, expect, it } from "vitest";
import { readOffloadSettings } from "../../../../src/core/config/readConfig.js";
import { patternsInText } from "../ofText.js";

const call = "python3 -m verl.trainer.main_ppo model_engine=veomni";
const block = "actor_rollout_ref.actor.veomni";
const list = `${block}.activation_offload_modules`;
const wanted = ["model.layers.{*}", "a.[0-3]"];

function applied(text: string, at = 0, path = "run.sh"): string {
  const settings = readOffloadSettings(path, text)[at];
  if (settings === undefined) throw new Error("no settings");
  const edit = patternsInText(path, text, settings, wanted);
  if (!edit.ok) return edit.problem.code;
  const { span, newText } = edit.value;
  const result = text.slice(0, span.start) + newText + text.slice(span.end);
  expect(readOffloadSettings(path, result)[at]?.patterns).toEqual(wanted);
  return result;
}

describe("overrideListEdit", () => {
  const value = '["model.layers.{*}","a.[0-3]"]';

  it.each([
    ["without quotes", `${list}=[a.*]`, `${list}='${value}'`],
    ["quotes around the value", `${list}='["a.*"]'`, `${list}='${value}'`],
    ["single quotes around the word", `'${list}=["a.*"]'`, `'${list}=${value}'`],
    ["double quotes around the word", `"${list}=[a.*]"`, `"${list}=${value.replaceAll('"', '\\"')}"`],
    ["a text instead of a list", `${list}=a.*`, `${list}='${value}'`],
    ["a list that Hydra refuses", `${list}=["a.{*}"]`, `${list}='${value}'`],
  ])("writes the value anew: %s", (_, before, after) => {
    expect(applied(`${call} ${before} \\\n  trainer.nnodes=1\n`)).toBe(`${call} ${after} \\\n  trainer.nnodes=1\n`);
  });

  it.each(["\r\n", "\r", "\r\r\n"])("writes into a script whose lines end with %j, and leaves them", (ending) => {
    const script = (word: string) => [`${call} \\`, `  ${word} \\`, "  trainer.nnodes=1", ""].join(ending);
    expect(applied(script(`${list}=[a.*]`))).toBe(script(`${list}='${value}'`));
  });

  it.each([
    `eval "${call} ${list}=[a]"\n`,
    `trap "${call} ${list}=[a]" EXIT\n`,
    `bash <<EOF\n${call} ${list}=[a]\nEOF\n`,
    `x=\`${call} ${list}=[a]\`\n`,
  ])("refuses to write where a shell reads twice: %j", (text) => {
    expect(applied(text)).toMatch(/^[A-Z_]+$/);
  });

  it("writes into a command whose output is taken", () => {
    expect(applied(`x="$(${call} ${list}=[a])"\n`)).toBe(`x="$(${call} ${list}='${value}')"\n`);
  });

  it("writes into an array and into a long string of overrides", () => {
    const array = (word: string) => `A=(\n  ${word} # all\n)\n${call} "\${A[@]}"\n`;
    expect(applied(array(`${list}=[a]`))).toBe(array(`${list}='${value}'`));
    const string = (word: string) => `A="${word} ${block}.seed=1"\n${call} $A\n`;
    expect(applied(string(`${list}=[a]`))).toBe(string(`${list}=${value.replaceAll('"', '\\"')}`));
  });

  it("adds an absent override behind the switch", () => {
    const text = (more: string) =>
      `${call} ${block}.enable_async_activation_offload=true${more} \\\n  trainer.nnodes=1\n`;
    expect(applied(text(""))).toBe(text(` ${list}='${value}'`));
  });

  it("writes into the call that is meant", () => {
    const markdown = (first: string, second: string) =>
      `\`\`\`sh\n${call} ${list}=${first}\n\`\`\`\n\n\`\`\`sh\n${call} ${list}=${second}\n\`\`\`\n`;
    expect(applied(markdown("[a]", "[b]"), 1, "README.md")).toBe(markdown("[a]", `'${value}'`));
  });

  it("writes flags of VeOmni as words", () => {
    const flags = (words: string) => `bash train.sh tasks/train_text.py c.yaml ${words} --train.max_steps 5\n`;
    const offload = "--model.accelerator.offload_config";
    const modules = `${offload}.activation_offload_modules`;
    expect(applied(flags(`${modules} 'x.{*}' y`))).toBe(flags(`${modules} 'model.layers.{*}' 'a.[0-3]'`));
    const on = `${offload}.enable_async_activation true`;
    expect(applied(flags(on))).toBe(flags(`${on} ${modules} 'model.layers.{*}' 'a.[0-3]'`));
  });

  it.each([
    ["the value comes out of a variable", `V='["a"]'\n${call} ${list}=$V\n`],
    ["blanks cut the value", `${call} ${list}=["a", "b"]\n`],
    ["the switch stands inside quotes", `A="${block}.enable_async_activation_offload=true"\n${call} $A\n`],
  ])("has no place where %s", (_, text) => {
    expect(applied(text)).toBe("PATTERN_LIST_NO_PLACE");
  });

  it("leaves Hydra's own record alone", () => {
    const path = "run/.hydra/overrides.yaml";
    expect(applied(`- model_engine=veomni\n- ${list}=[a]\n`, 0, path)).toBe("PATTERN_LIST_NO_PLACE");
  });
});
