// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test write ${…} themselves
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../../src/core/config/check.js";
import type { Diagnostic } from "../../../../src/core/config/document/diagnostic.js";
import { readOffloadSettings } from "../../../../src/core/config/readConfig.js";
import { convertReturns } from "../../../../src/core/config/shell/lineReturns.js";

const block = "actor_rollout_ref.actor.veomni";
const call = "python3 -m verl.trainer.main_ppo model_engine=veomni";

/** Scripts with what carriage returns break: continuations, quotes over lines, arrays, loops, here-documents, comments. */
const scripts: Readonly<Record<string, string>> = {
  continued: `#!/bin/bash\nset -x\n${call} \\\n  ${block}.enable_activation_offload=True \\\n  ${block}.pram_offload=True $@\n`,
  array: `A=(\n  ${block}.enable_async_activation_offload=yes\n  # note\n  ${block}.activation_offload_modules=[model.layers.*]\n)\n${call} "\${A[@]}"\n`,
  loop: `for lr in 1 2; do\n  if [ $lr = 1 ]; then\n    ${call} ${block}.fsdp_size=x\n  fi\ndone\n`,
  text: `ARGS="\n  ${block}.param_ofload=True\n  ${block}.fsdp_size=-1\n"\n${call} $ARGS\n`,
  heredoc: `cat <<EOF\nhello\nEOF\n${call} ${block}.activation_gpu_limit=1\n`,
  flags:
    "torchrun tasks/train_torch.py configs/a.yaml \\\n  --train.enable_activation_offload true \\\n  --train.acelerator.fsdp_size 2\n",
  healthy: `${call} \\\n  ${block}.enable_async_activation_offload=True\n`,
};
const endings: Readonly<Record<string, string>> = { "CR LF": "\r\n", CR: "\r", "CR CR LF": "\r\r\n" };
const variants = Object.keys(scripts).flatMap((name) => Object.keys(endings).map((ending) => [name, ending] as const));

function checked(text: string, path = "run.sh"): readonly Diagnostic[] {
  return checkDocument(path, text)?.diagnostics ?? [];
}

const told = ({ code, severity, message }: Diagnostic): readonly string[] => [severity, code, message];

describe("carriage returns in scripts", () => {
  it.each(variants)("are one finding beside those on what the script means: %s with %s", (name, ending) => {
    const text = scripts[name] ?? "";
    const windows = text.replaceAll("\n", endings[ending] ?? "");
    const [first, ...others] = [...checked(windows)].sort(
      (a, b) => Number(b.code === "carriage-returns") - Number(a.code === "carriage-returns"),
    );
    expect(first?.code).toBe("carriage-returns");
    expect(others.map(told)).toEqual(checked(text).map(told));
    expect(others.map(({ span }) => convertReturns(windows.slice(span.start, span.end)))).toEqual(
      checked(text).map(({ span }) => text.slice(span.start, span.end)),
    );
  });

  it.each(variants)(
    "end with the fix, and every other fix does the same as without them: %s with %s",
    (name, ending) => {
      const text = scripts[name] ?? "";
      const windows = text.replaceAll("\n", endings[ending] ?? "");
      const repaired = checked(windows).find(({ code }) => code === "carriage-returns")?.fixes[0];
      expect(repaired && applyEdits(windows, repaired)).toBe(text);
      const fixedTexts = (source: string): readonly string[] =>
        checked(source)
          .filter(({ code }) => code !== "carriage-returns")
          .flatMap(({ fixes }) => fixes.map((fix) => convertReturns(applyEdits(source, fix))));
      expect(fixedTexts(windows)).toEqual(fixedTexts(text));
    },
  );

  it("say how many lines end so, and how", () => {
    const [found] = checked(`${call} \\\r\n  ${block}.fsdp_size=-1\n`);
    expect(found?.message).toMatch(/^1 line ends with a carriage return \(CR LF\), which bash/);
    const [mixed] = checked(`set -x\r${call} \\\r\n  ${block}.fsdp_size=-1\r\n`);
    expect(mixed?.message).toMatch(/^3 lines end with a carriage return \(CR LF and CR\)/);
  });

  it("are nothing in comments, in documentation and in scripts of others", () => {
    expect(checked(`# note\r\n${call} ${block}.fsdp_size=-1\n`)).toEqual([]);
    expect(
      checked(`# Run\r\n\r\n\`\`\`bash\r\n${call} \\\r\n  ${block}.fsdp_size=-1\r\n\`\`\`\r\n`, "guide.md"),
    ).toEqual([]);
    expect(checked("python3 train.py \\\r\n  --lr 1\r\n")).toEqual([]);
  });

  it("leave the settings of the sample's script as they are", () => {
    const text = readFileSync("media/sample/run_grpo.sh", "utf8");
    const shown = (source: string): unknown =>
      readOffloadSettings("run.sh", source).map(({ enabled, patterns, cacheLimitGb, modelPath }) => ({
        ...{ enabled, patterns, cacheLimitGb, modelPath },
      }));
    expect(shown(text.replaceAll("\n", "\r\n"))).toEqual(shown(text));
  });
});
