import { nearestSpelling } from "../core/base/spelling.js";
import { type CliIo, ExitCode, safeIo } from "./io.js";
import { problemText } from "./report/problemText.js";
import { shortWord } from "./report/terminalText.js";

/** One command; `run` gets what follows its name and gives the exit code. Loaded when it is called. */
interface Command {
  readonly summary: string;
  /** Its stdout holds pieces of files that must stay as they are. */
  readonly keepsFiles?: true;
  load(): Promise<(args: string[], io: CliIo) => Promise<number>>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  check: {
    summary: "diagnose configuration files",
    load: async () => (await import("./command/check.js")).check,
  },
  match: {
    summary: "preview which modules a pattern list selects",
    load: async () => (await import("./command/match.js")).match,
  },
  profile: {
    summary: "run the offload engine and measure",
    load: async () => (await import("./command/profile.js")).profile,
  },
  sweep: {
    summary: "simulate a grid of settings and say which to choose",
    load: async () => (await import("./command/sweep.js")).sweep,
  },
  trace: {
    summary: "import traces and print what the copies cost",
    load: async () => (await import("./command/trace.js")).trace,
  },
  link: {
    summary: "measure the link between host and device",
    load: async () => (await import("./command/link.js")).link,
  },
  migrate: {
    summary: "convert a file to another layout",
    keepsFiles: true,
    load: async () => (await import("./command/migrate.js")).migrate,
  },
  schema: {
    summary: "print the JSON Schema of a kind of configuration",
    load: async () => (await import("./command/schema.js")).schema,
  },
};

/** Runs one command line (without the program's name) and gives its exit code. Never throws for what a user can do. */
export async function runCli(args: readonly string[], given: CliIo, version: string): Promise<number> {
  const [name, ...rest] = args;
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const io = safeIo(given, command?.keepsFiles === true);
  if (name === undefined) return wrongUsage(io, "No command is given.", true);
  if (name === "--help" || name === "-h" || name === "help") {
    io.stdout(helpText());
    return ExitCode.fine;
  }
  if (name === "--version") {
    io.stdout(`${version}\n`);
    return ExitCode.fine;
  }
  if (command === undefined) return wrongUsage(io, unknownCommand(name), false);
  const run = await command.load();
  return run(rest, io);
}

function unknownCommand(name: string): string {
  const near = nearestSpelling(name, Object.keys(COMMANDS));
  const said = `"${shortWord(name)}" is not a command.`;
  return near === undefined ? said : `${said} Did you mean ${near}?`;
}

function wrongUsage(io: CliIo, message: string, withHelp: boolean): number {
  io.stderr(withHelp ? `${message}\n\n${helpText()}` : `${message}\nSee \`offload-lens --help\`.\n`);
  return ExitCode.wrongUsage;
}

function helpText(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const commands = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    "offload-lens: what VeOmni's activation offload will touch, and whether it pays.",
    "",
    "Usage: offload-lens <command> [options]",
    "",
    ...commands,
    "",
    "  --help     this text; `offload-lens <command> --help` describes a command",
    "  --version  the version",
    "",
    "Results go to stdout (--json for programs), messages to stderr.",
    "Exit: 0 fine, 1 findings or a failed run, 2 wrong usage.",
    "",
  ].join("\n");
}

/** What a bug looks like from outside: one line, and where to go with it. */
export function describeBug(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${problemText({
    code: "INTERNAL_ERROR",
    message: "Something went wrong inside offload-lens.",
    cause: `${message.split("\n")[0] ?? message}.`,
    nextStep: "Please report it; OFFLOAD_LENS_DEBUG=1 prints the details to add.",
  })}\n`;
}
