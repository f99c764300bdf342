import { createRequire } from "node:module";
import { join } from "node:path";
import { isProblem } from "../core/profile/processProtocol.js";
import { protocolProblem } from "../core/profile/profilerProblems.js";
import { type FromSimulator, readToSimulator, type ToSimulator } from "../core/profile/simulatorProtocol.js";
import { type Engine, loadEngine, requestText } from "./engine.js";

/*
 * The simulator process: loads the native engine once and answers requests for simulated devices until its parent goes
 * (src/core/profile/simulatorProtocol.ts). A fault in native code ends this process and nothing else.
 */

let engine: Engine | undefined;
let last: Promise<void> = Promise.resolve();

function load(): Engine | undefined {
  if (engine !== undefined) return engine;
  const loaded = loadEngine(createRequire(__filename), [
    join(__dirname, "native", "offload_lens.node"),
    join(__dirname, "..", "build", "native", "offload_lens.node"),
  ]);
  engine = loaded.engine;
  if (engine === undefined) {
    send({ kind: "loadFailed", platform: `${process.platform}-${process.arch}`, attempts: loaded.attempts }, () =>
      process.exit(0),
    );
  }
  return engine;
}

async function answer({ id, request }: ToSimulator): Promise<void> {
  const loaded = load();
  if (loaded === undefined) return;
  const json = await loaded.profile(requestText(request), () => undefined).promise;
  if (!/^\s*\{\s*"problem"\s*:/.test(json)) return send({ kind: "simulated", id, resultJson: json });
  const { problem } = JSON.parse(json) as { readonly problem: unknown };
  send({ kind: "refused", id, problem: isProblem(problem) ? problem : protocolProblem("It failed without a reason.") });
}

function send(message: FromSimulator, then: () => void = () => undefined): void {
  if (process.connected) process.send?.(message, then);
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
  process.on("message", (message) => {
    const read = readToSimulator(message);
    if (read !== undefined) last = last.then(() => answer(read));
  });
  // The engine's library loads while nobody waits for it.
  setImmediate(load);
}

main();
