import { fail, type Outcome, type Problem, succeed } from "./outcome.js";
import { shownWord } from "./shownWord.js";
import { nearestSpelling } from "./spelling.js";
import type { ValueKind } from "./valueKinds.js";

/** One flag of a command: how it is read and what help says of it. Its name is its key in the table. */
export interface Flag<T> {
  /** Words behind it: none, one, or all up to the next that begins with `--`; of several, the flag may be given again. */
  readonly takes: "nothing" | "one" | "several";
  /** Of its value, as help and messages call it: `N[,N…]`. Empty where it takes nothing. */
  readonly valueName: string;
  /** What it does, with the default; wrapped where it is printed. */
  readonly help: string;
  /** Heading under which help lists it. */
  readonly group?: string;
  /** The value where the flag is not given. */
  readonly absent: T;
  /** Reads what stands behind the flag `name`, at least one text unless it takes nothing. Fails with `FLAG_VALUE_WRONG`. */
  read(name: string, texts: readonly string[]): Outcome<T>;
}

export type FlagName = `--${string}`;

/** Flags by their names. */
export type FlagTable = Readonly<Record<FlagName, Flag<unknown>>>;

/** The values of all flags of a table. */
export type ValuesOf<Flags> = { readonly [Name in keyof Flags]: Flags[Name] extends Flag<infer T> ? T : never };

/** Words beside the flags: `PATH…`. */
export interface Operands {
  readonly name: string;
  /** At least one is needed; what, for the message. */
  readonly what: string;
  readonly most: number;
}

/** Flags that exclude each other. */
export interface Choice<Name> {
  readonly of: readonly Name[];
  /** What the command lacks without any of them: `a model`. Absent: none needs to be given. */
  readonly needed?: string;
}

/** What help says of a command, and what is checked before its values are read. */
export interface CommandShape {
  readonly name: string;
  /** In the list of all commands: `run the offload engine and measure`. */
  readonly summary: string;
  /** Paragraphs before and after the flags, as they are printed. */
  readonly about?: string;
  readonly notes?: string;
  /** What its exit codes mean where it is not `fine`, nothing, and `wrong usage`. */
  readonly exits?: { readonly 0?: string; readonly 1?: string; readonly 2?: string };
  readonly operands?: Operands;
  readonly flags: FlagTable;
  readonly choices?: readonly Choice<FlagName>[];
}

/** Everything about the command line of one command: it is read, checked and explained by this table alone. */
export interface CommandTable<Flags extends FlagTable, Request> extends CommandShape {
  readonly flags: Flags;
  readonly choices?: readonly Choice<keyof Flags & FlagName>[];
  /** What the values mean together. */
  read(given: { readonly flags: ValuesOf<Flags>; readonly operands: readonly string[] }): Outcome<Request>;
}

/** Types a table by its flags. */
export function commandTable<Flags extends FlagTable, Request>(
  table: CommandTable<Flags, Request>,
): CommandTable<Flags, Request> {
  return table;
}

/** A flag that is given or not. */
export function toggle(help: string): Flag<boolean> {
  return { takes: "nothing", valueName: "", help, absent: false, read: () => succeed(true) };
}

/** A flag with one value. */
export function one<T>(valueName: string, kind: ValueKind<T>, help: string): Flag<T | undefined> {
  return { takes: "one", valueName, help, absent: undefined, read: (name, [text = ""]) => readValue(name, text, kind) };
}

/** A flag whose one value is a list, separated by commas. */
export function listed<T>(
  valueName: string,
  kind: ValueKind<T>,
  help: string,
  most: number,
): Flag<readonly T[] | undefined> {
  const read = (name: string, texts: readonly string[]) => readValues(name, separated(texts), kind, most);
  return { takes: "one", valueName: `${valueName}[,${valueName}…]`, help, absent: undefined, read };
}

/** A flag with as many values as follow it. */
export function several<T>(
  valueName: string,
  kind: ValueKind<T>,
  help: string,
  { most, split = false }: { readonly most: number; readonly split?: boolean },
): Flag<readonly T[] | undefined> {
  const read = (name: string, texts: readonly string[]) =>
    readValues(name, split ? separated(texts) : texts, kind, most);
  return { takes: "several", valueName: `${valueName}…`, help, absent: undefined, read };
}

/** The same flag with a value where it is not given; help says which. */
export function withDefault<T>(flag: Flag<T | undefined>, value: T, shown = String(value)): Flag<T> {
  const read = (name: string, texts: readonly string[]): Outcome<T> => {
    const found = flag.read(name, texts);
    return found.ok ? succeed(found.value ?? value) : found;
  };
  return { ...flag, help: `${flag.help} (default ${shown})`, absent: value, read };
}

/** The same flags under a heading of their own. */
export function inGroup<Flags extends FlagTable>(group: string, flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).map(([name, flag]) => [name, { ...flag, group }])) as Flags;
}

/** A member only where there is a value. */
export function given<Key extends string, T>(key: Key, value: T | undefined): { readonly [name in Key]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [name in Key]?: T });
}

/** What is wrong with flags that are right each for itself. */
export function flagsConflict(message: string, nextStep: string): Outcome<never> {
  return fail({ code: "FLAGS_CONFLICT", message, nextStep });
}

function separated(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(",").map((part) => part.trim()));
}

function readValues<T>(
  name: string,
  texts: readonly string[],
  kind: ValueKind<T>,
  most: number,
): Outcome<readonly T[]> {
  if (texts.length > most) {
    const message = `${name} takes at most ${most} values, and ${texts.length} are given.`;
    return fail({ code: "FLAG_VALUE_WRONG", message, nextStep: "Give fewer." });
  }
  const values: T[] = [];
  for (const text of texts) {
    const value = readValue(name, text, kind);
    if (!value.ok) return value;
    values.push(value.value);
  }
  return succeed(values);
}

function readValue<T>(name: string, text: string, kind: ValueKind<T>): Outcome<T> {
  const value = kind.read(text);
  return value === undefined ? fail(wrongValue(name, text, kind)) : succeed(value);
}

function wrongValue(name: string, text: string, { what, names }: ValueKind<unknown>): Problem {
  const near = names === undefined ? undefined : nearestSpelling(text, names);
  return {
    code: "FLAG_VALUE_WRONG",
    message: text === "" ? `${name} has an empty value.` : `${name} does not take ${shownWord(text)}.`,
    nextStep: near === undefined ? `Use ${what}.` : `Did you mean ${near}?`,
  };
}
