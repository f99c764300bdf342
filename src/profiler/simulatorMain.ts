import type { Outcome } from "../core/base/outcome.js";
import { AnsweringEnd } from "../core/channel.js";
import {
  type EngineLine,
  type EngineRequest,
  type EngineText,
  simulatorRequest,
} from "../core/profile/processProtocol.js";
import { type Engine, loadOwnEngine, readAnswer, requestText } from "./engine.js";
import { parentPort } from "./parentPort.js";

/*
 * The simulator process: loads the native engine once and answers requests for simulated devices until its parent goes
 * (src/core/profile/processProtocol.ts). A fault in native code ends this process and nothing else.
 */

let engine: Engine | undefined;
let last: Promise<unknown> = Promise.resolve();
/** What is posted is the last word: that the engine is missing. */
let ending = false;

const line = new AnsweringEnd<EngineLine>(
  parentPort(() => {
    if (ending) process.exit(0);
  }),
  {
    // One at a time, in order.
    answer(request) {
      const answer = last.then(() => simulate(request));
      last = answer;
      return answer;
    },
    checks: { request: simulatorRequest },
  },
);

function load(): Engine | undefined {
  if (engine !== undefined || ending) return engine;
  const loaded = loadOwnEngine();
  engine = loaded.engine;
  if (engine === undefined) {
    ending = true;
    line.announce({ platform: `${process.platform}-${process.arch}`, attempts: loaded.attempts });
  }
  return engine;
}

async function simulate(work: EngineRequest): Promise<Outcome<EngineText>> {
  const loaded = load();
  if (loaded === undefined || work.kind !== "run") return new Promise(() => undefined);
  return readAnswer(await loaded.profile(requestText(work.request), () => undefined).promise);
}

function crash(error: unknown): never {
  process.stderr.write(`offload-lens simulator: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(70);
}

function main(): void {
  if (process.send === undefined) {
    process.stderr.write("This program is started by Offload Lens. To simulate by hand, use `offload-lens sweep`.\n");
    process.exit(2);
  }
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", crash);
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit(0));
  // The engine's library loads while nobody waits for it.
  setImmediate(load);
}

main();
