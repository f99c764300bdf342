import { readFileSync } from "node:fs";
import { failureCode, outlive } from "./command/outlive.js";
import { fileWriter, writeWhole } from "./command/writeWhole.js";
import { describeBug, runCli } from "./commands.js";
import { type CliIo, ExitCode } from "./io.js";
import { problemText } from "./report/problemText.js";

/** The real process around the commands; everything else takes it as a `CliIo`. */
const processIo: Omit<CliIo, "cwd" | "stdout"> = {
  stderr: (text) => void process.stderr.write(text),
  env: process.env,
  isTty: { stdout: process.stdout.isTTY === true, stderr: process.stderr.isTTY === true },
  onInterrupt(listener) {
    let asked = false;
    const interrupted = () => {
      // Asked nicely once; who presses Ctrl-C again wants out. 128 + SIGINT, as shells count.
      if (asked) process.exit(130);
      asked = true;
      listener();
    };
    // A terminal that is closed interrupts, too: what runs in a process group of its own would go on.
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
    for (const signal of signals) process.on(signal, interrupted);
    return () => {
      for (const signal of signals) process.off(signal, interrupted);
    };
  },
};

/** The version of the package that this file was bundled into. */
function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const { version } = manifest as { readonly version?: unknown };
  return typeof version === "string" ? version : "unknown";
}

/** The directory that relative paths count from; `undefined` if it was deleted under the shell's feet. */
function currentDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** Standard output of this process; `onLost` is called with the system's code when a file takes no more. */
function resultWriter(onLost: (reason: string) => void): (text: string) => void {
  const write = fileWriter(process.stdout.fd);
  if (write === undefined) return (text) => void process.stdout.write(text);
  let isLost = false;
  return (text) => {
    if (isLost) return;
    try {
      writeWhole(text, write);
    } catch (error) {
      isLost = true;
      onLost(failureCode(error));
    }
  };
}

async function main(): Promise<void> {
  let lostOutput: string | undefined;
  const onLost = (reason: string) => {
    lostOutput ??= reason;
  };
  outlive(process.stdout, onLost);
  outlive(process.stderr, () => undefined);
  process.on("exit", () => {
    if (lostOutput === undefined) return;
    process.stderr.write(`${problemText(outputProblem(lostOutput))}\n`);
    process.exitCode = ExitCode.failed;
  });
  const cwd = currentDirectory();
  if (cwd === undefined) {
    process.stderr.write(`${problemText(directoryProblem)}\n`);
    process.exitCode = ExitCode.failed;
    return;
  }
  try {
    process.exitCode = await runCli(
      process.argv.slice(2),
      { ...processIo, stdout: resultWriter(onLost), cwd },
      packageVersion(),
    );
  } catch (error) {
    process.stderr.write(describeBug(error));
    if (process.env.OFFLOAD_LENS_DEBUG === "1" && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  }
}

const directoryProblem = {
  code: "WORKING_DIRECTORY_MISSING",
  message: "The directory that the command was started in does not exist any more.",
  nextStep: "Change to a directory that exists and run the command again.",
};

function outputProblem(reason: string) {
  return {
    code: "OUTPUT_FAILED",
    message: "The result could not be written to standard output.",
    cause: `The system says ${reason}.`,
    nextStep: "Check where the output goes: a full disk?",
  };
}

void main();
