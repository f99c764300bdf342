import { expect, test } from "vitest";
import { leverLines } from "../../../../src/cli/report/leverLines.js";
import { lever, leverTable } from "../../lever/sampleTable.js";

test("levers in one table, other keys in another, and what was checked without effect", () => {
  const lines = leverLines(
    leverTable({
      others: [lever({ key: "model.enable", value: false, peakBytesAfter: 2 ** 36, phaseAfter: "headBackward" })],
      withoutEffect: [
        { key: "veomni.param_offload", value: true },
        { key: "veomni.optimizer_offload", value: false },
      ],
      findings: [
        { key: "veomni.optimizer_offload", span: { start: 0, end: 1 }, label: "l", message: "It makes room." },
      ],
    }),
  );
  expect(lines).toEqual([
    "Keys, each changed alone and simulated on H200: peak 34.0 GiB in head backward · 1 key would lower it.",
    "actor_rollout_ref.actor.veomni.entropy_from_logits_with_chunking = true  peak 34.0 → 22.5 GiB  step +1.3 % (within the simulated range)  head forward",
    "These do not lower the peak:",
    "model.enable = false  peak 34.0 → 64.0 GiB  step +1.3 % (within the simulated range)",
    "It makes room.",
    "veomni.param_offload = true: the step's peak stays 34.0 GiB, and its time.",
  ]);
});

test("the stack alone is named, and ranks that change", () => {
  const levers = [lever({ ranksAfter: 16, phaseAfter: undefined })];
  const lines = leverLines(leverTable({ stackOnly: "ranks are not known", phase: undefined, levers }));
  expect(lines[1]).toBe("Stack only: ranks are not known.");
  expect(lines[2]).toMatch(/ 16 ranks$/);
});
