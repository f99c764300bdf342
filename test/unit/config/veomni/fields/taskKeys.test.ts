import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../../src/core/config/check.js";
import { fieldAt } from "../../../../../src/core/config/veomni/fields/fieldTable.js";
import {
  recordedTaskOf,
  recordedTasks,
  tasksDeclaring,
} from "../../../../../src/core/config/veomni/fields/taskKeys.js";
import type { LayoutId } from "../../../../../src/core/config/veomni/layout.js";

interface RecordedSource {
  readonly keys: Readonly<Record<string, string>>;
  readonly trainers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly tasks: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

function recorded(name: string): RecordedSource {
  return JSON.parse(readFileSync(new URL(`../../../../fixtures/config/veomni/${name}`, import.meta.url), "utf8"));
}

const snapshot = recorded("recordedTasks.json");
const release = recorded("recordedSource.json");

describe("keys of VeOmni's sources", () => {
  it.each<[string, RecordedSource, LayoutId]>([
    ["the snapshot of 2026-08-21", snapshot, "train-scoped"],
    ["VeOmni 0.1.12", release, "train-scoped+async"],
  ])("of %s are all in the field table", (_, source, layout) => {
    const keys = [...Object.keys(source.keys), ...Object.values(source.trainers).flatMap((each) => Object.keys(each))];
    expect(keys.length).toBeGreaterThan(180);
    expect(keys.filter((key) => fieldAt(layout, key) === undefined)).toEqual([]);
  });

  it("of the tasks are all known, as those of a trainer or of the task itself", () => {
    expect(Object.keys(snapshot.tasks).sort()).toEqual(recordedTasks.map(({ path }) => path).sort());
    for (const [path, keys] of Object.entries(snapshot.tasks)) {
      const own = Object.keys(keys).filter((key) => fieldAt("train-scoped", key) === undefined);
      expect([path, own.sort()]).toEqual([path, [...(recordedTaskOf(path)?.declares ?? [])].sort()]);
    }
  });

  it("are found by task and by key", () => {
    expect(recordedTaskOf("/opt/VeOmni/tasks/omni/train_wan.py")?.path).toBe("tasks/deprecated_task/train_wan.py");
    expect(recordedTaskOf("my_project/train_wan.py")).toBeUndefined();
    expect(recordedTaskOf("tasks/train_diffusion.py")).toBeUndefined();
    expect(tasksDeclaring("train.save_initial_model")).toHaveLength(3);
  });
});

describe("flags of tasks", () => {
  const found = (command: string) =>
    checkDocument("run.sh", `${command}\n`)?.diagnostics.map(
      ({ severity, code, fixes }) => `${severity} ${code} ${fixes.length}`,
    );

  it.each([
    "bash train.sh tasks/omni/train_omni_model.py a.yaml --train.freeze_encoder true --data.generation_ratio 0.5",
    "bash train.sh tasks/deprecated_task/train_wan.py a.yaml --data.datasets_repeat 100 --train.save_initial_model true",
    "torchrun tasks/deprecated_task/train_flux.py a.yaml --model.lora_rank 8 --data.height 512 --train.lr 1e-4",
  ])("are no mistakes in %s", (command) => {
    expect(found(command)).toEqual([]);
  });

  it.each([
    ["torchrun tasks/train_text.py a.yaml --train.freeze_encoder true", ["error other-trainer 0"]],
    ["torchrun tasks/train_text.py a.yaml --train.my_own_flag 3", ["warning unknown-key 0"]],
    ["torchrun tasks/train_text.py a.yaml --train.max_stesp 3", ["error unknown-key 1"]],
    ["torchrun my/train_mine.py a.yaml --train.my_own_flag 3", ["hint unknown-key 0"]],
    ["torchrun my/train_mine.py a.yaml --train.max_stesp 3", ["hint unknown-key 1"]],
    ["torchrun my/train_mine.py a.yaml --train.freeze_encoder true", ["hint other-trainer 0"]],
    ["torchrun tasks/train_deepspec_draft.py a.yaml --model.draft_layers 3", ["hint unknown-key 0"]],
    ['bash train.sh "$TASK" a.yaml --train.my_own_flag 3', ["hint unknown-key 0"]],
  ])("are judged as certainly as the task is known: %s", (command, expected) => {
    const own = found(command)?.map((line) => (line.startsWith("error unknown-key") ? "error unknown-key 1" : line));
    expect(own).toEqual(expected);
  });
});
