import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { type OverrideArrival, type OverrideCarrier, yamlCarrier } from "../../../../src/core/config/rules/carrier.js";
import { recordedTaskOf } from "../../../../src/core/config/veomni/fields/taskKeys.js";
import { unknownKey as unknownTrainingKey } from "../../../../src/core/config/veomni/rules/unknownKey.js";
import { trainingContext } from "../../../../src/core/config/veomni/trainingContext.js";
import type { BlockContext } from "../../../../src/core/config/verl/blockRule.js";
import { recognise } from "../../../../src/core/config/verl/recognise.js";
import { engineNotVeomni } from "../../../../src/core/config/verl/rules/engineNotVeomni.js";
import { r3Rollout } from "../../../../src/core/config/verl/rules/r3Rollout.js";
import { unknownKey } from "../../../../src/core/config/verl/rules/unknownKey.js";

const text = [
  "model_engine: dp",
  "actor_rollout_ref:",
  "  actor:",
  "    veomni:",
  "      parm_offload: true",
  "      router_replay: {mode: R3}",
  "  rollout:",
  "    name: vllm",
  "",
].join("\n");

function overrides(arrival: OverrideArrival | undefined, isWholeCall = false): OverrideCarrier {
  return { kind: "override", isWholeCall, arrivalOf: () => arrival };
}

function context(carrier: BlockContext["carrier"], written = text): BlockContext {
  const document = parseConfig(written, "omegaconf");
  const kind = recognise("e.yaml", document);
  const [block] = kind?.blocks ?? [];
  if (kind === undefined || block === undefined) throw new Error("not recognised");
  return { path: "e.yaml", document, carrier, kind, block };
}

describe("a rule owns what it says of each carrier", () => {
  it("another engine leaves a block of YAML unused; of an override that is certain Hydra refuses the keys", () => {
    const of = (carrier: BlockContext["carrier"]) =>
      engineNotVeomni.check(context(carrier)).map(({ severity, message }) => [severity, /Hydra refuses/.test(message)]);
    expect(of(yamlCarrier)).toEqual([["warning", false]]);
    expect(of(overrides({ isPlainSet: true, isCertain: false }))).toEqual([["warning", false]]);
    expect(of(overrides(undefined))).toEqual([["warning", false]]);
    expect(of(overrides({ isPlainSet: true, isCertain: true }))).toEqual([["error", true]]);
  });

  it("an unknown key is refused at composition only where it is set without +", () => {
    const of = (carrier: BlockContext["carrier"]) => {
      const [found] = unknownKey.check(context(carrier));
      return [found?.refusesKey, found?.message.endsWith("Without + Hydra refuses it at composition already.")];
    };
    expect(of(yamlCarrier)).toEqual([true, false]);
    expect(of(overrides({ isPlainSet: false, isCertain: true }))).toEqual([true, false]);
    expect(of(overrides({ isPlainSet: true, isCertain: true }))).toEqual([true, true]);
  });

  it("what a whole call leaves out, no other file sets", () => {
    const right = text.replace("model_engine: dp", "model_engine: veomni");
    const of = (carrier: BlockContext["carrier"]) => r3Rollout.check(context(carrier, right))[0]?.severity;
    expect(of(yamlCarrier)).toBe("warning");
    expect(of(overrides(undefined, false))).toBe("warning");
    expect(of(overrides(undefined, true))).toBe("error");
  });

  it("VeOmni's parser ignores a key of YAML and refuses a flag", () => {
    const document = parseConfig("train:\n  max_stesp: 5\n  accelerator: {}\n  micro_batch_size: 1\n", "pyyaml");
    const read = trainingContext("t.yaml", document);
    const of = (carrier: typeof read.carrier) =>
      unknownTrainingKey.check({ ...read, carrier }).map(({ severity, message }) => [severity, message]);
    expect(of(yamlCarrier)).toEqual([["warning", expect.stringContaining("VeOmni ignores it without a word")]]);
    const task = recordedTaskOf("tasks/train_text.py");
    if (task === undefined) throw new Error("no such task");
    expect(of({ kind: "flag", started: { kind: "recorded", task } })).toEqual([
      ["error", expect.stringContaining("VeOmni refuses unknown flags")],
    ]);
  });
});
