/** What `match` was asked to do. */
export interface MatchRequest {
  readonly model: string | undefined;
  readonly tree: string | undefined;
  /** Patterns given on the command line; `[]` is the automatic mode, `undefined` means those of `config`. */
  readonly patterns: readonly string[] | undefined;
  readonly config: string | undefined;
  readonly json: boolean;
  readonly explain: boolean;
}

export const matchUsage = `Usage: offload-lens match SOURCE PATTERNS [--explain] [--json]
  SOURCE    --model DIR | --tree FILE     (optional with --config: its model path is taken)
  PATTERNS  --pattern P… | --auto | --config FILE
`;

const valueFlags = new Set(["--model", "--tree", "--config", "--config-json"]);

/** Reads the arguments; a text is the reason why they are wrong. */
export function readMatchArguments(args: readonly string[]): MatchRequest | string {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  const patterns: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [flag, joined] = splitFlag(args[at] ?? "");
    if (flag === "--pattern") {
      const given = joined === undefined ? valuesAfter(args, at) : [joined];
      if (given.length === 0) return "--pattern needs a value.";
      patterns.push(...given);
      if (joined === undefined) at += given.length;
    } else if (valueFlags.has(flag)) {
      const value = joined ?? args[at + 1];
      if (value === undefined || (joined === undefined && value.startsWith("--"))) return `${flag} needs a value.`;
      if (values.has(flag)) return `${flag} is given twice.`;
      values.set(flag, value);
      if (joined === undefined) at += 1;
    } else if (["--auto", "--json", "--explain"].includes(flag) && joined === undefined) {
      switches.add(flag);
    } else {
      return `"${args[at]}" is not an argument of match.`;
    }
  }
  return checkedRequest(values, switches, patterns);
}

function checkedRequest(
  values: ReadonlyMap<string, string>,
  switches: ReadonlySet<string>,
  patterns: readonly string[],
): MatchRequest | string {
  if (values.has("--config-json")) return "--config-json is not supported by match yet; give --model or --tree.";
  const sources = ["--model", "--tree"].filter((flag) => values.has(flag));
  if (sources.length > 1) return "Give one source: --model or --tree.";
  const ways = [patterns.length > 0, switches.has("--auto"), values.has("--config")].filter((given) => given).length;
  if (ways !== 1) return "Give the patterns in one way: --pattern, --auto or --config.";
  if (sources.length === 0 && !values.has("--config")) return "Give a source: --model or --tree.";
  return {
    model: values.get("--model"),
    tree: values.get("--tree"),
    patterns: values.has("--config") ? undefined : patterns,
    config: values.get("--config"),
    json: switches.has("--json"),
    explain: switches.has("--explain"),
  };
}

function splitFlag(argument: string): readonly [string, string | undefined] {
  const equals = argument.indexOf("=");
  if (!argument.startsWith("--") || equals < 0) return [argument, undefined];
  return [argument.slice(0, equals), argument.slice(equals + 1)];
}

/** Everything up to the next flag. */
function valuesAfter(args: readonly string[], flagAt: number): readonly string[] {
  const rest = args.slice(flagAt + 1);
  const end = rest.findIndex((argument) => argument.startsWith("--"));
  return end < 0 ? rest : rest.slice(0, end);
}
