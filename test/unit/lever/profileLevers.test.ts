import { expect, test } from "vitest";
import { readConfig, settingsOf } from "../../../src/core/config/readConfig.js";
import { profiledSubject, withLevers } from "../../../src/core/lever/profileLevers.js";
import type { ProfileSettings } from "../../../src/core/profile/profileArguments.js";
import { jobText } from "../config/jobs.js";
import { sampleOffloadRun, sampleResult, sampleRun } from "../profile/sampleResult.js";
import { leverTable } from "./sampleTable.js";

function requestOf(given: ProfileSettings) {
  const path = "dynamic.yaml";
  const read = readConfig(path, jobText(path));
  const block = read && settingsOf(read)[0];
  if (read === undefined || block === undefined) throw new Error("no block");
  const subject = profiledSubject({
    configJson: "{}",
    given,
    device: "sim:H200",
    read,
    block,
    environment: {},
    options: {},
  });
  const asked = subject.requestOf(block);
  if (!asked.ok) throw new Error(asked.problem.message);
  return { block, ...asked.value };
}

test("the request of a profile, with the block's own strategy alone and nothing saved", () => {
  const { request } = requestOf({ strategies: ["none", "save_on_cpu"], outPath: "/a.offload", steps: 3 });
  expect(request).toMatchObject({ strategies: ["veomni_async"], head: "verl_flash", worldSize: 16, steps: 3 });
  expect(request).not.toHaveProperty("outPath");
});

test("flags win over the keys", () => {
  expect(requestOf({ seqLens: [512], entropy: "none" }).request).toMatchObject({ seqLens: [512], entropy: "none" });
});

test("levers stand at the run that the file lets run, and at no other", () => {
  const { block } = requestOf({});
  const { runs } = withLevers(sampleResult([sampleRun(), sampleOffloadRun]), block, leverTable());
  expect(runs.map(({ strategy, levers }) => [strategy, levers?.length])).toEqual([
    ["none", undefined],
    ["veomni_async", 1],
  ]);
  expect(runs[1]?.levers?.[0]).toEqual({
    key: "actor_rollout_ref.actor.veomni.entropy_from_logits_with_chunking",
    value: true,
    title: expect.stringContaining("peak 34.0 → 22.5 GiB"),
    peakBytesAfter: 22.5 * 1024 ** 3,
    stepMsAfter: 1013,
  });
});
