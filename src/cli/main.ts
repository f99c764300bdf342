import { readFileSync } from "node:fs";
import { describeBug, runCli } from "./commands.js";
import type { CliIo } from "./io.js";

/** The real process around the commands; everything else takes it as a `CliIo`. */
const processIo: CliIo = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  cwd: process.cwd(),
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
    process.on("SIGINT", interrupted);
    process.on("SIGTERM", interrupted);
    return () => {
      process.off("SIGINT", interrupted);
      process.off("SIGTERM", interrupted);
    };
  },
};

/** The version of the package that this file was bundled into. */
function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const { version } = manifest as { readonly version?: unknown };
  return typeof version === "string" ? version : "unknown";
}

async function main(): Promise<void> {
  // `offload-lens match … | head` closes the pipe early; that is no failure of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  try {
    process.exitCode = await runCli(process.argv.slice(2), processIo, packageVersion());
  } catch (error) {
    process.stderr.write(describeBug(error));
    if (process.env.OFFLOAD_LENS_DEBUG === "1" && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  }
}

void main();
