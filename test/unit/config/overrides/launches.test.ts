// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { launchesIn } from "../../../../src/core/config/overrides/launches.js";

const task = "torchrun tasks/train_text.py";

function launches(text: string, path = "/r/run.sh"): readonly unknown[] {
  return launchesIn(path, text).map(({ line, file, keys, isComplete, isTail }) => [
    line,
    isTail ? `…${file}` : file,
    keys.join(" "),
    isComplete,
  ]);
}

describe("launchesIn", () => {
  it.each<[string, unknown[]]>([
    [`${task} a.yaml\n`, [[1, "a.yaml", "", true]]],
    [
      `set -x\n${task} a.yaml \\\n  --model.model_path x --train.lr=1\n`,
      [[2, "a.yaml", "model.model_path train.lr", true]],
    ],
    [`set -x\r\n${task} a.yaml \\\r\n  --model.model_path x\r\n`, [[2, "a.yaml", "model.model_path", true]]],
    [`${task} a.yaml $@\n`, [[1, "a.yaml", "", false]]],
    [`${task} a.yaml --model.model_path "$MODEL"\n`, [[1, "a.yaml", "model.model_path", false]]],
    [`${task} a.yaml --model.model_path=$MODEL\n`, [[1, "a.yaml", "model.model_path", true]]],
    [`${task} "$ROOT/configs/a.yaml"\n`, [[1, "…/configs/a.yaml", "", true]]],
    [`C=configs/a.yaml\n${task} $C\n`, [[2, "configs/a.yaml", "", true]]],
    [`${task} \${C:-a.yaml}\n`, [[1, "a.yaml", "", true]]],
    [
      `x=$(${task} a.yaml)\n${task} b.yaml\n`,
      [
        [1, "a.yaml", "", true],
        [2, "b.yaml", "", true],
      ],
    ],
    [`${task} --model.model_path x.yaml\n`, []],
    ["python3 other.py a.yaml --model.x 1\n", []],
    ["python3 -m verl.trainer.main_ppo model_engine=veomni\n", []],
  ])("%j", (text, expected) => {
    expect(launches(text)).toEqual(expected);
  });

  it("reads scripts only, and not without end", () => {
    expect(launches(`${task} a.yaml\n`, "/r/guide.md")).toEqual([]);
    expect(launchesIn("/r/run.sh", `${task} a.yaml\n`.repeat(1_000))).toHaveLength(200);
  });
});
