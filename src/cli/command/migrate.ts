import { resolve } from "node:path";
import type { Problem } from "../../core/base/outcome.js";
import { nearestSpelling } from "../../core/base/spelling.js";
import { visibleLine } from "../../core/base/visibleText.js";
import { migrateDocument } from "../../core/config/migrate/migrateDocument.js";
import {
  isMigrationTarget,
  type Migration,
  type MigrationTarget,
  migrationTargets,
} from "../../core/config/migrate/migration.js";
import { unifiedDiff } from "../../core/config/migrate/unifiedDiff.js";
import { type CliIo, ExitCode, say } from "../io.js";
import { migrateResult, migrationNotes, refusalLines, refusedResult } from "../report/migrateReport.js";
import { problemText } from "../report/problemText.js";
import { linesOfText, shortWord, terminalText } from "../report/terminalText.js";
import { readConfigFile } from "./configFiles.js";
import { replaceFile } from "./replaceFile.js";

const usage = `Usage: offload-lens migrate FILE --to LAYOUT [--write] [--json]

Converts a whole YAML file to another layout; comments travel with their keys. Without --write nothing is changed, and the
difference goes to stdout in the format of diff -u.

  --to LAYOUT  of VeOmni's training YAML: ${migrationTargets.slice(0, 3).join(", ")},
               ${migrationTargets.slice(3, 5).join(", ")}; of a file with verl's engine block: verl (today's keys)
  --write      changes the file, at once or not at all
  --json       {from, to, edits, homeless} on stdout; positions are 1-based, ends exclusive
  --help       this text

Towards a newer layout, keys without a place become comments. Towards an older one the conversion is refused, and the keys
that have no place there are listed. The present layout is told by the file's keys, or by its first line: # offload-lens: layout=flat
Exit code: 0 converted or nothing to do, 1 refused, 2 wrong usage or an unreadable file.`;

interface MigrateArguments {
  readonly file: string;
  readonly to: MigrationTarget;
  readonly write: boolean;
  readonly json: boolean;
}

/** `offload-lens migrate FILE --to LAYOUT [--write] [--json]`: converts a file between layouts. Returns the exit code. */
export async function migrate(args: string[], io: CliIo): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    io.stdout(`${usage}\n`);
    return ExitCode.fine;
  }
  const parsed = parseArguments(args);
  if (typeof parsed === "string") {
    io.stderr(`${parsed}\n\n${usage}\n`);
    return ExitCode.wrongUsage;
  }
  const path = resolve(io.cwd, parsed.file);
  const text = await readConfigFile(parsed.file, path);
  if (!text.ok) {
    io.stderr(`${problemText(text.problem)}\n`);
    return ExitCode.wrongUsage;
  }
  const migration = migrateDocument(path, text.value, parsed.to);
  if (!migration.ok) return refuse(migration.problem, parsed, io);
  return finish(parsed, path, text.value, migration.value, io);
}

function refuse(problem: Problem, { json }: MigrateArguments, io: CliIo): number {
  const result = refusedResult(problem);
  if (json && result !== undefined) io.stdout(terminalText(`${JSON.stringify(result, null, 2)}\n`));
  io.stderr(
    [problemText(problem), linesOfText(refusalLines(problem)), ""]
      .filter((text, at) => text !== "" || at > 1)
      .join("\n"),
  );
  return ExitCode.failed;
}

async function finish(
  { file, write, json }: MigrateArguments,
  path: string,
  before: string,
  migration: Migration,
  io: CliIo,
): Promise<number> {
  const isChanged = migration.edits.length > 0;
  if (write && isChanged) {
    const written = await replaceFile(file, path, before, migration.text);
    if (!written.ok) {
      io.stderr(`${problemText(written.problem)}\n`);
      return ExitCode.failed;
    }
  }
  if (json) io.stdout(terminalText(`${JSON.stringify(migrateResult(before, migration), null, 2)}\n`));
  else if (!write) io.stdout(unifiedDiff(file, before, migration.text));
  else if (isChanged) io.stdout(terminalText(`${visibleLine(`${file}: ${summary(migration)}`)}\n`));
  for (const note of migrationNotes(file, path, migration)) say(io, `${note}`);
  return ExitCode.fine;
}

function summary({ from, to }: Migration): string {
  return from === to ? `converted to the keys of ${to}.` : `converted from ${from} to ${to}.`;
}

/** The arguments, or what is wrong with them. */
function parseArguments(args: readonly string[]): MigrateArguments | string {
  const files: string[] = [];
  const targets: string[] = [];
  const flags = new Set<string>();
  let onlyPaths = false;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? "";
    if (onlyPaths || !argument.startsWith("-")) files.push(argument);
    else if (argument === "--") onlyPaths = true;
    else if (argument === "--to") targets.push(args[++at] ?? "");
    else if (argument.startsWith("--to=")) targets.push(argument.slice(5));
    else if (argument === "--write" || argument === "--json") flags.add(argument);
    else return `migrate does not know ${shortWord(argument)}.`;
  }
  const [file] = files;
  if (file === undefined) return "migrate needs a file.";
  if (files.length > 1) return "migrate converts one file at a time.";
  const target = targetOf(targets);
  if (!isMigrationTarget(target)) return target;
  return { file, to: target, write: flags.has("--write"), json: flags.has("--json") };
}

/** The target, or what is wrong with it. */
function targetOf(targets: readonly string[]): string {
  const [target] = targets;
  if (target === undefined || target === "") return "migrate needs --to with a layout.";
  if (targets.length > 1) return "migrate takes one --to.";
  if (isMigrationTarget(target)) return target;
  const near = nearestSpelling(target, migrationTargets);
  return `There is no layout "${shortWord(target)}".${near === undefined ? "" : ` Did you mean ${near}?`}`;
}
