import { trace } from "../../../../src/cli/command/trace.js";
import type { CliIo } from "../../../../src/cli/io.js";

/** `offload-lens trace` in a folder, with what it prints. */
export async function runTrace(cwd: string, ...args: string[]) {
  const out: string[] = [];
  const err: string[] = [];
  const io: CliIo = { stdout: (text) => out.push(text), stderr: (text) => err.push(text), cwd, env: {} };
  const code = await trace(args, io);
  return { code, stdout: out.join(""), stderr: err.join("") };
}
