import { type CommandShape, type CommandTable, type Flag, type FlagTable, toggle, type ValuesOf } from "./flags.js";
import { fail, type Outcome, type Problem, succeed } from "./outcome.js";
import { shownWord } from "./shownWord.js";
import { nearestSpelling } from "./spelling.js";
import { listOf } from "./valueKinds.js";

/** What a command line asks for. */
export type ReadArguments<Request> =
  | { readonly kind: "help" }
  | { readonly kind: "request"; readonly request: Request }
  | { readonly kind: "wrong"; readonly problem: Problem };

/** Every command has it. */
export const helpFlag: Flag<boolean> = toggle("this text");

/**
 * Reads what follows the name of a command by its table. Help wins wherever it is asked for. What follows a word `--` is no flag.
 * A value may begin with `-`; one that begins with `--` is written `--flag=--value`.
 * Problems: `FLAG_UNKNOWN`, `FLAG_REPEATED`, `FLAG_VALUE_MISSING`, `FLAG_VALUE_WRONG`, `FLAGS_CONFLICT`, `ARGUMENT_UNEXPECTED`,
 * `ARGUMENT_MISSING`, and those of the table itself.
 */
export function readArguments<Flags extends FlagTable, Request>(
  table: CommandTable<Flags, Request>,
  args: readonly string[],
): ReadArguments<Request> {
  if (asksForHelp(args)) return { kind: "help" };
  const request = requestOf(table, args);
  return request.ok ? { kind: "request", request: request.value } : { kind: "wrong", problem: request.problem };
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const words = end < 0 ? args : args.slice(0, end);
  return words.includes("--help") || words.includes("-h");
}

function requestOf<Flags extends FlagTable, Request>(
  table: CommandTable<Flags, Request>,
  args: readonly string[],
): Outcome<Request> {
  const sorted = sortWords(table, args);
  if (!sorted.ok) return sorted;
  const { texts, operands } = sorted.value;
  const values: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(table.flags)) values[name] = flag.absent;
  for (const [name, given] of texts) {
    const value = flagOf(table, name)?.read(name, given);
    if (value?.ok === false) return value;
    values[name] = value?.value;
  }
  const wrong = operandProblem(table, operands) ?? choiceProblem(table, new Set(texts.keys()));
  if (wrong !== undefined) return fail(wrong);
  return table.read({ flags: values as ValuesOf<Flags>, operands });
}

interface SortedWords {
  /** What stands behind each flag that is given, in the order of the line. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
}

function sortWords(table: CommandShape, args: readonly string[]): Outcome<SortedWords> {
  const texts = new Map<string, string[]>();
  const operands: string[] = [];
  let at = 0;
  while (at < args.length) {
    const word = args[at++] ?? "";
    if (word === "--") {
      for (const operand of args.slice(at)) operands.push(operand);
      break;
    }
    if (word === "-" || !word.startsWith("-")) {
      operands.push(word);
      continue;
    }
    const [name, inline] = splitFlag(word);
    const flag = flagOf(table, name);
    if (flag === undefined) return fail(unknownFlag(table, name));
    const before = texts.get(name);
    if (before !== undefined && flag.takes === "one") return fail(repeated(name));
    const values = inline === undefined ? valuesBehind(args, at, flag) : [inline];
    const wrong = countProblem(name, flag, values, inline, args[at]);
    if (wrong !== undefined) return fail(wrong);
    if (inline === undefined) at += values.length;
    if (before === undefined) texts.set(name, [...values]);
    else for (const value of values) before.push(value);
  }
  return succeed({ texts, operands });
}

function flagOf(table: CommandShape, name: string): Flag<unknown> | undefined {
  if (name === "--help") return helpFlag;
  return new Map<string, Flag<unknown>>(Object.entries(table.flags)).get(name);
}

function splitFlag(word: string): readonly [name: string, inline: string | undefined] {
  const equals = word.startsWith("--") ? word.indexOf("=") : -1;
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}

function valuesBehind(args: readonly string[], at: number, { takes }: Flag<unknown>): readonly string[] {
  const last = takes === "nothing" ? at : takes === "one" ? Math.min(at + 1, args.length) : args.length;
  let end = at;
  while (end < last && args[end]?.startsWith("--") === false) end++;
  return args.slice(at, end);
}

function countProblem(
  name: string,
  { takes, valueName }: Flag<unknown>,
  values: readonly string[],
  inline: string | undefined,
  next: string | undefined,
): Problem | undefined {
  if (takes === "nothing") {
    if (inline === undefined) return undefined;
    return { code: "FLAG_VALUE_WRONG", message: `${name} takes no value.`, nextStep: `Give ${name} alone.` };
  }
  if (values.length > 0) return undefined;
  const isFlagBehind = next !== undefined && next !== "--";
  return {
    code: "FLAG_VALUE_MISSING",
    message: takes === "one" ? `${name} needs a value.` : `${name} needs at least one value.`,
    ...(isFlagBehind ? { cause: `What follows, ${shownWord(next)}, is read as a flag.` } : {}),
    nextStep: isFlagBehind
      ? `Give ${name} ${valueName}; a value that begins with -- is written ${name}=--….`
      : `Give ${name} ${valueName}.`,
  };
}

function repeated(name: string): Problem {
  return { code: "FLAG_REPEATED", message: `${name} is given twice.`, nextStep: "Give it once." };
}

function unknownFlag(table: CommandShape, name: string): Problem {
  const near = nearestSpelling(name, [...Object.keys(table.flags), "--help"]);
  const after = table.operands === undefined ? "" : ` A ${table.operands.name} that begins with - is given after --.`;
  return {
    code: "FLAG_UNKNOWN",
    message: `${table.name} has no flag ${shownWord(name)}.`,
    nextStep: near === undefined ? `Leave it out.${after}` : `Did you mean ${near}?`,
  };
}

function operandProblem(table: CommandShape, operands: readonly string[]): Problem | undefined {
  const { name, what, most } = table.operands ?? { name: "", what: "", most: 0 };
  const [first] = operands;
  if (first === undefined) {
    if (most === 0) return undefined;
    return { code: "ARGUMENT_MISSING", message: `${table.name} needs ${what}.`, nextStep: `Give ${name}.` };
  }
  if (operands.length <= most) return undefined;
  if (most > 0) {
    const message = `${table.name} takes ${most === 1 ? "one" : `at most ${most}`} ${name}, and ${operands.length} are given.`;
    return { code: "ARGUMENT_UNEXPECTED", message, nextStep: "Give one after the other." };
  }
  const near = nearestSpelling(`--${first}`, Object.keys(table.flags));
  return {
    code: "ARGUMENT_UNEXPECTED",
    message: `"${shownWord(first)}" is not expected here; every value of ${table.name} follows a flag.`,
    nextStep: near === undefined ? "Leave it out, or put its flag before it." : `Did you mean ${near}?`,
  };
}

function choiceProblem(table: CommandShape, given: ReadonlySet<string>): Problem | undefined {
  for (const { of, needed } of table.choices ?? []) {
    const chosen = of.filter((name) => given.has(name));
    if (chosen.length > 1) {
      const message = `${listOf(chosen, "and")} exclude each other.`;
      return { code: "FLAGS_CONFLICT", message, nextStep: "Give one of them." };
    }
    if (chosen.length === 1 || needed === undefined) continue;
    const ways = of.map((name) => flagLabel(name, flagOf(table, name)));
    return {
      code: "ARGUMENT_MISSING",
      message: `${table.name} needs ${needed}.`,
      nextStep: `Give ${listOf(ways, "or")}.`,
    };
  }
  return undefined;
}

/** `--seq N[,N…]`. */
export function flagLabel(name: string, flag: Flag<unknown> | undefined): string {
  return flag === undefined || flag.valueName === "" ? name : `${name} ${flag.valueName}`;
}
