import { fail, type Outcome, succeed } from "../../core/base/outcome.js";
import type { LeverTable } from "../../core/lever/leverTable.js";
import type { ProfiledConfig } from "../../core/lever/profileLevers.js";
import { type LeverSubject, runLevers } from "../../core/lever/runLevers.js";
import type { EnginePort } from "../../core/profile/childProcess.js";
import { Simulator } from "../../core/profile/simulator.js";
import type { CliIo } from "../io.js";
import { blockOf, type JobConfig } from "./jobConfig.js";
import { namedModels } from "./namedModels.js";

/** What of a config its levers need. Fails with `LEVERS_NO_BLOCK` where another engine than VeOmni's trains. */
export async function profiledConfig(
  config: JobConfig,
  io: CliIo,
): Promise<Outcome<Omit<ProfiledConfig, "configJson" | "given" | "device">>> {
  const { read } = config;
  const block = blockOf(config);
  if (read === undefined || block === undefined) return fail(noBlock);
  return succeed({ read, block, environment: io.env, options: { models: await namedModels(read, io) } });
}

/** Simulates every single key in a process of its own; an interrupt ends it. */
export async function simulateLevers(port: EnginePort, subject: LeverSubject, io: CliIo): Promise<Outcome<LeverTable>> {
  const simulator = new Simulator(port);
  let isCancelled = false;
  const stopListening = io.onInterrupt?.(() => {
    isCancelled = true;
    // Ends the request under way with its process, which may hang or be stopped.
    simulator.dispose();
  });
  try {
    return await runLevers(
      (request) => simulator.simulate(request),
      subject,
      () => isCancelled,
    );
  } finally {
    simulator.dispose();
    stopListening?.();
  }
}

const noBlock = {
  code: "LEVERS_NO_BLOCK",
  message: "This config has no block of VeOmni whose keys could be changed.",
  nextStep: "Leave --levers out, or give a config with actor_rollout_ref.actor.veomni.",
};
