import type { Problem } from "../core/base/outcome.js";
import { nearestSpelling } from "../core/base/spelling.js";
import { tableLines } from "../core/base/table.js";
import { listOf } from "../core/base/valueKinds.js";
import { type CliCommand, wrongUsage } from "./cliCommand.js";
import { type CliIo, ExitCode, safeIo } from "./io.js";
import { pathsAsGiven } from "./report/pathsAsGiven.js";
import { problemText } from "./report/problemText.js";
import { shortWord } from "./report/terminalText.js";

/** Commands by name, each loaded when it is called. */
export type CommandList = Readonly<Record<string, () => Promise<CliCommand>>>;

export const COMMANDS: CommandList = {
  check: async () => (await import("./command/check.js")).checkCommand,
  match: async () => (await import("./command/match.js")).matchCommand,
  profile: async () => (await import("./command/profile.js")).profileCommand,
  sweep: async () => (await import("./command/sweep.js")).sweepCommand,
  trace: async () => (await import("./command/trace.js")).traceCommand,
  link: async () => (await import("./command/link.js")).linkCommand,
  migrate: async () => (await import("./command/migrate.js")).migrateCommand,
  schema: async () => (await import("./command/schema.js")).schemaCommand,
};

/** Runs one command line (without the program's name) and gives its exit code. Never throws for what a user can do. */
export async function runCli(
  args: readonly string[],
  given: CliIo,
  version: string,
  commands = COMMANDS,
): Promise<number> {
  const [name, ...rest] = args;
  const load = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load !== undefined) {
    const command = await load();
    const io = safeIo(given, command.keepsFiles === true);
    const asGiven = pathsAsGiven(rest, given.cwd);
    return command.run(rest, { ...io, stderr: (text) => io.stderr(asGiven(text)) });
  }
  const io = safeIo(given, false);
  if (name === "--help" || name === "-h" || name === "help") {
    io.stdout(await helpText(commands));
    return ExitCode.fine;
  }
  if (name === "--version") {
    io.stdout(`${version}\n`);
    return ExitCode.fine;
  }
  return wrongUsage(io, name === undefined ? noCommand(commands) : unknownCommand(name, commands));
}

function noCommand(commands: CommandList): Problem {
  const nextStep = `Give ${listOf(Object.keys(commands), "or")}.`;
  return { code: "COMMAND_MISSING", message: "No command is given.", nextStep };
}

function unknownCommand(name: string, commands: CommandList): Problem {
  const names = Object.keys(commands);
  const near = nearestSpelling(name, names);
  return {
    code: "COMMAND_UNKNOWN",
    message: `"${shortWord(name)}" is not a command.`,
    nextStep: near === undefined ? `Use ${listOf(names, "or")}.` : `Did you mean ${near}?`,
  };
}

async function helpText(commands: CommandList): Promise<string> {
  const tables = await Promise.all(Object.values(commands).map(async (load) => (await load()).table));
  const rows = tables.map(({ name, summary }) => [`  ${name}`, summary]);
  return [
    "offload-lens: what VeOmni's activation offload will touch, and whether it pays.",
    "",
    "Usage: offload-lens <command> [options]",
    "",
    ...tableLines(rows, ["left"]),
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
