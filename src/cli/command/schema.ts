import { commandTable, one, toggle } from "../../core/base/flags.js";
import { type Outcome, succeed } from "../../core/base/outcome.js";
import { oneOf } from "../../core/base/valueKinds.js";
import { schemaDialects, schemaOf } from "../../core/config/schema/dialects.js";
import { asked, type CliCommand } from "../cliCommand.js";
import { type CliIo, ExitCode } from "../io.js";

const schemaTable = commandTable({
  name: "schema",
  summary: "print the JSON Schema of a kind of configuration",
  about: `
Prints the JSON Schema (2020-12) of a kind of configuration, for editors without this extension. Write it to a file and name
that file in the first line of a config:

  # yaml-language-server: $schema=verl.schema.json`,
  flags: {
    "--dialect": one("ID", oneOf(schemaDialects), `the kind: ${schemaDialects.join(", ")}`),
    "--json": toggle("the same: it is JSON in any case"),
  },
  choices: [{ of: ["--dialect"], needed: "a dialect" }],
  read: ({ flags }): Outcome<string> => succeed(flags["--dialect"] ?? ""),
});

/** `offload-lens schema --dialect ID`: prints a JSON Schema. Returns the exit code. */
export async function schema(args: string[], io: CliIo): Promise<number> {
  const line = asked(schemaTable, args, io);
  if (!line.ok) return line.exitCode;
  io.stdout(`${JSON.stringify(schemaOf(line.request), null, 2)}\n`);
  return ExitCode.fine;
}

export const schemaCommand: CliCommand = { table: schemaTable, run: schema };
