import { nearestSpelling } from "../../core/base/spelling.js";
import { schemaDialects, schemaOf } from "../../core/config/schema/dialects.js";
import { type CliIo, ExitCode } from "../io.js";
import { shortWord } from "../report/terminalText.js";

const usage = `Usage: offload-lens schema --dialect ID

Prints the JSON Schema (2020-12) of a kind of configuration, for editors without this extension. Write it to a file and name
that file in the first line of a config:

  # yaml-language-server: $schema=verl.schema.json

IDs: ${schemaDialects.join(", ")}

Exit code: 0 fine, 2 wrong usage.`;

/** `offload-lens schema --dialect ID`: prints a JSON Schema. Returns the exit code. */
export async function schema(args: string[], io: CliIo): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    io.stdout(`${usage}\n`);
    return ExitCode.fine;
  }
  const dialect = dialectOf(args.filter((argument) => argument !== "--json"));
  const found = dialect === undefined ? undefined : schemaOf(dialect);
  if (found !== undefined) {
    io.stdout(`${JSON.stringify(found, null, 2)}\n`);
    return ExitCode.fine;
  }
  io.stderr(`${problemOf(dialect)}\n\n${usage}\n`);
  return ExitCode.wrongUsage;
}

function dialectOf(args: readonly string[]): string | undefined {
  const [first, second] = args;
  if (args.length === 2 && first === "--dialect") return second;
  return args.length === 1 && first?.startsWith("--dialect=") === true ? first.slice("--dialect=".length) : undefined;
}

function problemOf(dialect: string | undefined): string {
  if (dialect === undefined) return "schema needs --dialect ID and nothing else.";
  const near = nearestSpelling(dialect, schemaDialects);
  return near === undefined
    ? `There is no dialect ${shortWord(dialect)}.`
    : `There is no dialect ${shortWord(dialect)}. Did you mean ${near}?`;
}
