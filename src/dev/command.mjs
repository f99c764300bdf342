import { spawn } from "node:child_process";
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { root } from "./places.mjs";

/** A step failed in a way that the user can act on: the text is all that is shown, no stack trace. */
export class StepFailed extends Error {}

/**
 * Runs a program and waits for it.
 *
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, accept?: readonly number[], onText?: (text: string) => void }} [options]
 *   `quiet` holds the output back and shows it only when the program fails; `accept` lists the exit codes that count as
 *   success (0); `onText` sees stdout and stderr as they come.
 * @returns {Promise<{ code: number, output: string }>} `output` is stdout and stderr together.
 * @throws {StepFailed} when the program is missing, is killed, or exits with a code that is not accepted.
 */
export function run(program, args, options = {}) {
  const { cwd = root, env = process.env, quiet = false, accept = [0], onText } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const pieces = [];
    const take = (target) => (piece) => {
      pieces.push(piece);
      onText?.(piece.toString());
      if (!quiet) target.write(piece);
    };
    child.stdout.on("data", take(process.stdout));
    child.stderr.on("data", take(process.stderr));
    child.on("error", (error) => {
      const reason = error.code === "ENOENT" ? `${program} is not installed` : error.message;
      reject(new StepFailed(`${reason} (needed for: ${[program, ...args].join(" ")})`));
    });
    child.on("close", (code, signal) => {
      const output = Buffer.concat(pieces).toString();
      if (code !== null && accept.includes(code)) return resolve({ code, output });
      if (quiet) process.stderr.write(output);
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      reject(new StepFailed(`${[program, ...args].join(" ")} ended with ${how}`));
    });
  });
}

/** Prints a heading, so that a long run can be followed. */
export function section(title) {
  console.log(`\n== ${title}`);
}

/**
 * Runs the body of a script: a `StepFailed` becomes one line and exit code 1, anything else is a bug and keeps its trace.
 *
 * @param {() => Promise<void>} body
 */
export async function script(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    console.error(`\nStopped: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Whether the module is the program that Node was started with, rather than imported by another one. */
export function isProgram(moduleUrl) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === realpathSync(fileURLToPath(moduleUrl));
}
