import { resolve } from "node:path";
import { commandTable, one, toggle } from "../../core/base/flags.js";
import { type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { oneOf } from "../../core/base/valueKinds.js";
import { visibleLine } from "../../core/base/visibleText.js";
import { migrateDocument } from "../../core/config/migrate/migrateDocument.js";
import { type Migration, type MigrationTarget, migrationTargets } from "../../core/config/migrate/migration.js";
import { unifiedDiff } from "../../core/config/migrate/unifiedDiff.js";
import { asked, type CliCommand } from "../cliCommand.js";
import { type CliIo, ExitCode, say } from "../io.js";
import { migrateResult, migrationNotes, refusalLines, refusedResult } from "../report/migrateReport.js";
import { problemText } from "../report/problemText.js";
import { linesOfText, terminalText } from "../report/terminalText.js";
import { readConfigFile } from "./configFiles.js";
import { replaceFile } from "./replaceFile.js";

const migrateTable = commandTable({
  name: "migrate",
  summary: "convert a file to another layout",
  about: `
Converts a whole YAML file to another layout; comments travel with their keys. Without --write nothing is changed, and the
difference goes to stdout in the format of diff -u.`,
  operands: { name: "FILE", what: "a file", most: 1 },
  flags: {
    "--to": one(
      "LAYOUT",
      oneOf(migrationTargets),
      `of VeOmni's training YAML: ${migrationTargets.slice(0, -1).join(", ")}; of a file with verl's engine block: verl (today's keys)`,
    ),
    "--write": toggle("changes the file, at once or not at all"),
    "--json": toggle("{from, to, edits, homeless} on stdout; positions are 1-based, ends exclusive"),
  },
  choices: [{ of: ["--to"], needed: "a layout" }],
  notes: `
Towards a newer layout, keys without a place become comments. Towards an older one the conversion is refused, and the keys
that have no place there are listed. The present layout is told by the file's keys, or by its first line: # offload-lens: layout=flat`,
  exits: { 0: "converted or nothing to do", 1: "refused", 2: "wrong usage or an unreadable file" },
  read({ flags, operands: [file = ""] }): Outcome<MigrateArguments> {
    return succeed({ file, to: flags["--to"] ?? "verl", write: flags["--write"], json: flags["--json"] });
  },
});

interface MigrateArguments {
  readonly file: string;
  readonly to: MigrationTarget;
  readonly write: boolean;
  readonly json: boolean;
}

/** `offload-lens migrate FILE --to LAYOUT [--write] [--json]`: converts a file between layouts. Returns the exit code. */
export async function migrate(args: string[], io: CliIo): Promise<number> {
  const line = asked(migrateTable, args, io);
  if (!line.ok) return line.exitCode;
  const parsed = line.request;
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
  const written = write && isChanged ? await replaceFile(file, path, before, migration.text) : undefined;
  // The edits are found whether or not they can be written.
  if (json) io.stdout(terminalText(`${JSON.stringify(migrateResult(before, migration), null, 2)}\n`));
  if (written?.ok === false) {
    io.stderr(`${problemText(written.problem)}\n`);
    return ExitCode.failed;
  }
  if (json) return tellNotes(file, path, migration, io);
  if (!write) io.stdout(unifiedDiff(file, before, migration.text));
  else if (isChanged) io.stdout(terminalText(`${visibleLine(`${file}: ${summary(migration)}`)}\n`));
  return tellNotes(file, path, migration, io);
}

function tellNotes(file: string, path: string, migration: Migration, io: CliIo): number {
  for (const note of migrationNotes(file, path, migration)) say(io, `${note}`);
  return ExitCode.fine;
}

function summary({ from, to }: Migration): string {
  return from === to ? `converted to the keys of ${to}.` : `converted from ${from} to ${to}.`;
}

export const migrateCommand: CliCommand = { table: migrateTable, keepsFiles: true, run: migrate };
