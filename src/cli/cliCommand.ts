import { helpOf } from "../core/base/flagHelp.js";
import type { CommandShape, CommandTable, FlagTable } from "../core/base/flags.js";
import type { Problem } from "../core/base/outcome.js";
import { readArguments } from "../core/base/readFlags.js";
import { type CliIo, ExitCode } from "./io.js";
import { problemText } from "./report/problemText.js";

/** What a command's file gives to the list in `commands.ts`. */
export interface CliCommand {
  readonly table: CommandShape;
  /** Its stdout holds pieces of files that must stay as they are. */
  readonly keepsFiles?: true;
  /** Gets what follows its name and gives the exit code. */
  run(args: string[], io: CliIo): Promise<number>;
}

const PROGRAM = "offload-lens";

/** What the line asks for; or the exit code, where help or a problem was printed instead. */
export type Asked<Request> =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly exitCode: number };

/** Reads a command line by the table of its command; says on the streams what there is to say. */
export function asked<Flags extends FlagTable, Request>(
  table: CommandTable<Flags, Request>,
  args: readonly string[],
  io: CliIo,
): Asked<Request> {
  const read = readArguments(table, args);
  if (read.kind === "request") return { ok: true, request: read.request };
  if (read.kind === "wrong") return { ok: false, exitCode: wrongUsage(io, read.problem, table.name) };
  io.stdout(helpOf(PROGRAM, table));
  return { ok: false, exitCode: ExitCode.fine };
}

/** Says what is wrong with a command line, in the one form that all commands have, and gives the exit code. */
export function wrongUsage(io: Pick<CliIo, "stderr">, problem: Problem, command?: string): number {
  const help = command === undefined ? `${PROGRAM} --help` : `${PROGRAM} ${command} --help`;
  io.stderr(`${problemText(problem)}\nSee \`${help}\`.\n`);
  return ExitCode.wrongUsage;
}
