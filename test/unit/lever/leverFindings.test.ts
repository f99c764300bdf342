import { describe, expect, it } from "vitest";
import { jobKeys } from "../../../src/core/config/jobKeys.js";
import { readConfig, settingsOf } from "../../../src/core/config/readConfig.js";
import { leverFindings } from "../../../src/core/lever/leverFindings.js";
import type { LeverTable } from "../../../src/core/lever/leverTable.js";
import { lever, leverTable } from "./sampleTable.js";

const GIB = 1024 ** 3;
const block = "actor_rollout_ref.actor.veomni";
const text = `model_engine: veomni
actor_rollout_ref:
  model: {path: m, use_fused_kernels: true}
  actor:
    veomni:
      entropy_checkpointing: true
      entropy_from_logits_with_chunking: true
      param_offload: true # room for the rollout
      optimizer_offload: false
`;

/** Label and written text of each finding. */
function found(table: Partial<LeverTable>, head = "verl_flash", path = "a.yaml", source = text): readonly unknown[] {
  const read = readConfig(path, source);
  const [settings] = read === undefined ? [] : settingsOf(read);
  const keys = read && settings && jobKeys(read, settings);
  if (keys === undefined) throw new Error("no block");
  return leverFindings(leverTable({ levers: [], ...table }), keys, head).map(({ label, span }) => [
    source.slice(span.start, span.end),
    label.replaceAll("\u00a0", " "),
  ]);
}

const off = (name: string, peakBytesAfter: number) => lever({ key: `${block}.${name}`, value: false, peakBytesAfter });

describe("keys that do not do what people expect", () => {
  it("checkpointed entropy that raises the peak says by how much, and where it does not nothing", () => {
    expect(found({ levers: [off("entropy_checkpointing", 29 * GIB)] })).toEqual([
      ["entropy_checkpointing: true", "simulated: raises the peak by 5.00 GiB"],
    ]);
    expect(found({ others: [off("entropy_checkpointing", 40 * GIB)] })).toEqual([]);
  });

  it("chunks that lower nothing", () => {
    expect(found({ levers: [off("entropy_from_logits_with_chunking", 33 * GIB)] })).toEqual([
      ["entropy_from_logits_with_chunking: true", "simulated: chunks do not lower the peak"],
    ]);
    expect(found({ others: [off("entropy_from_logits_with_chunking", 50 * GIB)] })).toEqual([]);
  });

  it("fused kernels over the eager loss", () => {
    const key = `${block}.cross_entropy_loss_implementation`;
    const better = lever({ key, value: "chunk_loss", peakBytesAfter: 24 * GIB });
    const fused = lever({ key: "actor_rollout_ref.model.use_fused_kernels", value: false, peakBytesAfter: 90 * GIB });
    expect(found({ levers: [better], others: [fused] }, "verl_chunked_eager")).toEqual([
      ["use_fused_kernels: true", "simulated: eager loss adds 10.0 GiB"],
    ]);
    expect(found({ levers: [better], others: [fused] }, "verl_chunked")).toEqual([]);
    const same = { ...better, peakBytesAfter: 34 * GIB };
    expect(found({ others: [same, fused] }, "verl_chunked_eager")).toEqual([
      ["use_fused_kernels: true", "simulated: eager loss makes all logits"],
    ]);
  });

  it("what makes room between phases, only where it is on", () => {
    const withoutEffect = ["param_offload", "optimizer_offload"].map((name) => ({
      key: `${block}.${name}`,
      value: false,
    }));
    expect(found({ withoutEffect })).toEqual([["param_offload: true", "simulated: step's peak stays 34.0 GiB"]]);
  });

  it("what has no effect at all", () => {
    const withoutEffect = [{ key: `${block}.entropy_checkpointing`, value: false }];
    expect(found({ withoutEffect })).toEqual([["entropy_checkpointing: true", "simulated: no effect on this step"]]);
  });

  it("stands at the override of a script", () => {
    const script = `python3 -m verl.trainer.main_ppo model_engine=veomni ${block}.param_offload=True\n`;
    const withoutEffect = [{ key: `${block}.param_offload`, value: false }];
    expect(found({ withoutEffect }, "verl_flash", "a.sh", script)).toEqual([
      [`${block}.param_offload=True`, "simulated: step's peak stays 34.0 GiB"],
    ]);
  });
});
