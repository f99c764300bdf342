import { defaultWorkload, type EstimateWorkload } from "../../core/modules/estimate/estimate.js";
import { shortWord } from "../report/terminalText.js";

/** What `match` was asked to do. */
export interface MatchRequest {
  readonly model: string | undefined;
  readonly configJson: string | undefined;
  readonly tree: string | undefined;
  /** Interpreter in which the model of `model` or `configJson` is built. */
  readonly python: string | undefined;
  readonly timeLimitSeconds: number;
  readonly lora: boolean;
  /** Patterns given on the command line; `[]` is the automatic mode, `undefined` means those of `config`. */
  readonly patterns: readonly string[] | undefined;
  readonly config: string | undefined;
  readonly json: boolean;
  readonly explain: boolean;
  /** The members that were given. */
  readonly workload: Partial<EstimateWorkload>;
}

export const matchUsage = `Usage: offload-lens match SOURCE PATTERNS [--explain] [--json]

Shows which modules activation_offload_modules selects on a model, as the framework will, and why.

SOURCE, one of these; may be left out with --config, whose model path then counts:
  --model DIR|ID       checkpoint directory, or a model id that the Hugging Face cache or the catalogue has; no network is used
  --config-json FILE   the config.json alone
  --tree FILE          a module tree that the dump script wrote, plain or .gz
  --python PATH        build the model in this interpreter instead (with --model or --config-json): exact names and classes
  --time-limit N       seconds that this may take (default 300)
  --lora               the model is wrapped for LoRA: names begin with base_model.model.

PATTERNS, one of these:
  --pattern P…         the list, in order
  --auto               the empty list: modules by the class names in _no_split_modules
  --config FILE        the list of a configuration

  --explain            why each pattern matches what it does, what the selection does in a step, what the source cannot know
  --seq N              tokens per sequence (default ${defaultWorkload.seqLen}); this and the next three go with --explain
  --micro-batch N      sequences per step (default that of --config, else ${defaultWorkload.microBatch})
  --gc on|off          gradient checkpointing (default that of --config, else on)
  --cache-limit-gb X   limit of the idle host pool in GiB (default that of --config, else ${defaultWorkload.cacheLimitGb})
  --json               the result as JSON on stdout
  --help               this text

Exit code: 0 something is selected, 1 the framework would refuse the list or the source cannot be read, 2 wrong usage.
`;

const switches = ["--auto", "--json", "--explain", "--lora"];
const sources = ["--model", "--config-json", "--tree"];
const workloadFlags = ["--seq", "--micro-batch", "--gc", "--cache-limit-gb"];
const valueFlags = new Set([...sources, ...workloadFlags, "--config", "--python", "--time-limit"]);

interface Given {
  readonly values: ReadonlyMap<string, string>;
  readonly switches: ReadonlySet<string>;
  readonly patterns: readonly string[];
}

/** Reads the arguments; a text is the reason why they are wrong. */
export function readMatchArguments(args: readonly string[]): MatchRequest | string {
  const given = collect(args);
  return typeof given === "string" ? given : checkedRequest(given);
}

function collect(args: readonly string[]): Given | string {
  const values = new Map<string, string>();
  const flags = new Set<string>();
  const patterns: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const [flag, joined] = splitFlag(args[at] ?? "");
    if (flag === "--pattern") {
      const listed = joined === undefined ? valuesAfter(args, at) : [joined];
      if (listed.length === 0) return "--pattern needs a value.";
      for (const pattern of listed) patterns.push(pattern);
      if (joined === undefined) at += listed.length;
    } else if (valueFlags.has(flag)) {
      const value = joined ?? args[at + 1];
      if (value === undefined || value === "" || (joined === undefined && value.startsWith("--"))) {
        return `${flag} needs a value.`;
      }
      if (values.has(flag)) return `${flag} is given twice.`;
      values.set(flag, value);
      if (joined === undefined) at += 1;
    } else if (switches.includes(flag) && joined === undefined) {
      flags.add(flag);
    } else {
      return `"${shortWord(args[at] ?? "")}" is not an argument of match.`;
    }
  }
  return { values, switches: flags, patterns };
}

function checkedRequest({ values, switches: flags, patterns }: Given): MatchRequest | string {
  const given = sources.filter((flag) => values.has(flag));
  if (given.length > 1) return "Give one source: --model, --config-json or --tree.";
  const ways = [patterns.length > 0, flags.has("--auto"), values.has("--config")].filter((way) => way).length;
  if (ways !== 1) return "Give the patterns in one way: --pattern, --auto or --config.";
  if (given.length === 0 && !values.has("--config")) return "Give a source: --model, --config-json or --tree.";
  if (values.has("--python") && values.has("--tree")) return "--python builds a model; it does not go with --tree.";
  const unused = workloadFlags.find((flag) => values.has(flag));
  if (unused !== undefined && !flags.has("--explain")) return `${unused} goes with --explain.`;
  const workload = workloadOf(values);
  if (typeof workload === "string") return workload;
  const timeLimitSeconds = wholeNumber(values, "--time-limit", 86_400) ?? 300;
  if (typeof timeLimitSeconds === "string") return timeLimitSeconds;
  return {
    model: values.get("--model"),
    configJson: values.get("--config-json"),
    tree: values.get("--tree"),
    python: values.get("--python"),
    timeLimitSeconds,
    lora: flags.has("--lora"),
    patterns: values.has("--config") ? undefined : patterns,
    config: values.get("--config"),
    json: flags.has("--json"),
    explain: flags.has("--explain"),
    workload,
  };
}

function workloadOf(values: ReadonlyMap<string, string>): Partial<EstimateWorkload> | string {
  const seqLen = wholeNumber(values, "--seq", 2 ** 24);
  const microBatch = wholeNumber(values, "--micro-batch", 2 ** 20);
  if (typeof seqLen === "string") return seqLen;
  if (typeof microBatch === "string") return microBatch;
  const gc = values.get("--gc");
  if (gc !== undefined && gc !== "on" && gc !== "off") return "--gc is on or off.";
  const limit = values.get("--cache-limit-gb");
  const cacheLimitGb = limit === undefined ? undefined : Number(limit);
  if (cacheLimitGb !== undefined && (limit?.trim() === "" || !(cacheLimitGb >= 0 && cacheLimitGb <= 2 ** 23))) {
    return "--cache-limit-gb is a number from 0 on.";
  }
  return {
    ...(seqLen === undefined ? {} : { seqLen }),
    ...(microBatch === undefined ? {} : { microBatch }),
    ...(gc === undefined ? {} : { gradientCheckpointing: gc === "on" }),
    ...(cacheLimitGb === undefined ? {} : { cacheLimitGb }),
  };
}

function wholeNumber(values: ReadonlyMap<string, string>, flag: string, max: number): number | string | undefined {
  const text = values.get(flag);
  if (text === undefined) return undefined;
  const value = Number(text);
  return /^\d+$/.test(text) && value >= 1 && value <= max ? value : `${flag} is a whole number from 1 to ${max}.`;
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
