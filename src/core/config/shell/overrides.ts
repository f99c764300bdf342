import type { QuickFix, TextSpan } from "../document/diagnostic.js";
import { compositionError } from "../hydra/composition.js";
import { parseOverride } from "../hydra/parse.js";
import { type HydraError, type HydraValue, UNKNOWN_MARK } from "../hydra/value.js";
import { findProgramCalls, type ProgramCall } from "./commands.js";
import { readExcerpt } from "./excerpt.js";
import { withoutReturns, withSpansMoved } from "./lineReturns.js";
import { meantList } from "./listText.js";
import { readMarkdown } from "./markdown.js";
import { readOverrideList } from "./overridesYaml.js";
import { type Expectation, expectByName, type Override, type OverrideError } from "./overrideTypes.js";
import { maskPlaceholders } from "./placeholders.js";
import { valueSource, writableValue } from "./quoting.js";
import { readShell, type ShellWord } from "./readShell.js";
import { sourceSpan, type TracedText } from "./tracedText.js";
import { type FoundTrap, findTrap, fixValue, type ReadWord } from "./traps.js";
import { readVeomniFlags, type VeomniFlag } from "./veomniFlags.js";

export type { Expectation, Override, OverrideError, Trap, TrapCode, WritableValue } from "./overrideTypes.js";

/** Tells what a key expects; undefined when nobody knows. */
export type Expect = (dialect: "verl" | "veomni", keyPath: string) => Expectation | undefined;

const byName: Expect = (dialect, keyPath) => (dialect === "verl" ? expectByName(keyPath) : undefined);

/**
 * Every setting that a file hands to verl (with the VeOmni engine) or to VeOmni by command line: shell scripts
 * (`*.sh`, `*.bash`), shell blocks of Markdown (`*.md`, `*.markdown`) and the list that Hydra saves as
 * `.hydra/overrides.yaml`. Other files, and files without such a call, give none. Never throws; work is bounded.
 * Line ends with carriage returns count as line feeds: this is what the text means, not what bash makes of it.
 * The quick fixes of one result are meant for the text that was read.
 */
export function readOverrides(path: string, text: string, expect: Expect = byName): readonly Override[] {
  const name = path.toLowerCase().replaceAll("\\", "/");
  if (isScript(name)) return meantBy(text, (meant) => fromScript(meant, expect));
  if (/\.(?:md|markdown)$/.test(name)) return meantBy(text, (meant) => fromMarkdown(meant, expect));
  if (/(?:^|\/)\.hydra\/overrides\.ya?ml$/.test(name)) return fromList(text, expect);
  return [];
}

/** True for the files that bash runs. */
export function isScript(path: string): boolean {
  return /\.(?:sh|bash)$/i.test(path);
}

function fromScript(text: string, expect: Expect): Override[] {
  return fromCalls(findProgramCalls(readShell(maskPlaceholders(text, false))), text, expect);
}

/** What a text says once its lines end with line feeds alone, with the places of the text as it is. */
function meantBy(text: string, read: (text: string) => readonly Override[]): readonly Override[] {
  const converted = withoutReturns(text);
  if (converted === undefined) return read(text);
  const { placeOf } = converted;
  return withSpansMoved(read(converted.text), ({ start, end }) => ({ start: placeOf(start), end: placeOf(end) }));
}

function fromMarkdown(text: string, expect: Expect): Override[] {
  const shell = readMarkdown(text);
  const masked = maskPlaceholders(shell.text, true);
  return fromCalls(
    shell.blocks.flatMap((block) => callsOfBlock(masked, block)),
    text,
    expect,
  );
}

/** Only a block with a command is a script; what begins with overrides was never meant to be run as it stands. */
function callsOfBlock(text: string, block: TextSpan): readonly ProgramCall[] {
  const calls = findProgramCalls(readShell(text, block.start, block.end));
  const isScript = calls.some(isCommand);
  const excerpt = isScript ? undefined : readExcerpt(text, block);
  return excerpt === undefined ? calls : [excerpt];
}

/** A mark of a list in front of an override is no program. */
function isCommand({ cutOff, dialect, program, args }: ProgramCall): boolean {
  if (cutOff !== undefined) return false;
  return dialect === "veomni" || program !== undefined || !/^[-*|]?$/.test(args[0]?.text ?? "");
}

function fromList(text: string, expect: Expect): Override[] {
  const entries = readOverrideList(text);
  if (!entries.some((entry) => /\.veomni\.|^\+*(?:model_engine|engine)=veomni$/.test(entry.text))) return [];
  return entries.flatMap((entry) => {
    const word: ShellWord = {
      ...entry,
      span: sourceSpan(entry, 0, entry.text.length),
      assumesDefault: false,
      badSubstitutions: [],
    };
    const read = verlOverride(word, [], {
      source: text,
      expect,
      call: 0,
      multirun: true,
      canEdit: false,
      hasProgram: true,
      isWhole: false,
      isExcerpt: false,
      composes: undefined,
      cutOff: undefined,
    });
    return read === undefined ? [] : [read.override];
  });
}

function fromCalls(calls: readonly ProgramCall[], source: string, expect: Expect): Override[] {
  return calls.flatMap((call, index) => {
    const context = {
      source,
      expect,
      call: index,
      multirun: call.multirun,
      canEdit: !call.nested,
      hasProgram: call.program !== undefined,
      isWhole: call.isWhole,
      isExcerpt: call.isExcerpt === true,
      composes: call.composes,
      cutOff: call.cutOff,
      task: call.program,
    };
    if (call.dialect === "veomni") return readVeomniFlags(call.args).map((flag) => veomniOverride(flag, context));
    return verlOverrides(call.args, context);
  });
}

interface Context {
  readonly source: string;
  readonly expect: Expect;
  readonly call: number;
  readonly multirun: boolean;
  readonly canEdit: boolean;
  readonly hasProgram: boolean;
  readonly isWhole: boolean;
  readonly isExcerpt: boolean;
  readonly composes: ProgramCall["composes"];
  readonly cutOff: ShellWord | undefined;
  readonly task?: string | undefined;
}

function verlOverrides(words: readonly ShellWord[], context: Context): Override[] {
  const overrides: Override[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    if (word === undefined) continue;
    const following = words.slice(i + 1, i + 1 + MAX_FOLLOWING);
    const read = verlOverride(word, following, context) ?? keyWithoutEquals(word, following, context);
    if (read === undefined) continue;
    overrides.push(read.override);
    i += read.swallowed;
  }
  return overrides;
}

/** How many words behind an override are looked at for the rest of its value. */
const MAX_FOLLOWING = 256;

/** Words that are no override (options, paths, words that only the run can tell) are left out. */
function isOverrideWord(text: string): boolean {
  if (text.startsWith("-") || text.startsWith(UNKNOWN_MARK)) return false;
  return text.startsWith("~") ? /^~[A-Za-z_$]/.test(text) : /^\+{0,2}[A-Za-z_$][\w$./@-]*=/.test(text);
}

function verlOverride(word: ShellWord, following: readonly ShellWord[], context: Context): Read | undefined {
  if (!isOverrideWord(word.text)) return undefined;
  const parsed = parseOverride(word.text);
  const key = parsed.ok ? parsed.override.key : parsed.key;
  if (key === undefined) return undefined;
  const hydraError = parsed.ok ? compositionError(parsed.override, context.multirun) : parsed.error;
  const value = parsed.ok ? parsed.override.value : undefined;
  const equals = word.text.indexOf("=");
  const expects = context.expect("verl", key.path);
  const fits = hydraError === undefined ? value : undefined;
  const isCutOff = context.cutOff === word;
  const read: ReadWord = {
    ...context,
    canEdit: mayEdit(word, context),
    isCutOff,
    hasCommandAbove: context.call > 0,
    word,
    equals,
    value: fits,
    expects,
    following,
  };
  const found = equals < 0 ? undefined : findTrap(read);
  const error = errorOf(read, hydraError);
  const override: Override = {
    dialect: "verl",
    keyPath: key.path,
    ...(key.package !== undefined && { package: key.package }),
    operator: key.operator,
    ...(value !== undefined && error === undefined && { value: placeValue(value, word) }),
    ...(error && { error }),
    keySpan: sourceSpan(word, key.span.start, key.span.end),
    valueSpan: valueSpanOf(word, equals, following[(found?.swallowed ?? 0) - 1]),
    ...(found && { trap: found.trap }),
    ...writableIn(read, found),
    ...ofCall(word, context),
  };
  return { override, swallowed: found?.swallowed ?? 0 };
}

/** A text that a shell reads twice has quotes for both, which are not ours to rewrite. */
function mayEdit(word: ShellWord, { canEdit }: Context): boolean {
  return canEdit && word.isNested !== true;
}

function ofCall(word: ShellWord, { call, isWhole, isExcerpt, composes }: Context) {
  return {
    call,
    ...(isWhole && ({ isOfWholeCall: true } as const)),
    ...(composes !== undefined && { composes }),
    ...(isExcerpt && ({ isOfExcerpt: true } as const)),
    ...(word.alternative !== undefined && { alternative: word.alternative }),
    assumesDefault: word.assumesDefault,
  };
}

/** `k = 1`: every word is an override for Hydra, and this one has no equals sign. */
function keyWithoutEquals(word: ShellWord, following: readonly ShellWord[], context: Context): Read | undefined {
  const { text } = word;
  const next = following[0]?.text ?? "";
  if (!context.hasProgram || !/^\+{0,2}[A-Za-z_]\w*(?:\.\w+)+$/.test(text)) return undefined;
  if (!next.startsWith("=") && !/\.veomni\./.test(text)) return undefined;
  const plus = /^\+*/.exec(text)?.[0].length ?? 0;
  const keySpan = sourceSpan(word, plus, text.length);
  const message = "there is no equals sign right behind the key.";
  const fix = mayEdit(word, context) ? joinedBySign(word, following, context.source) : undefined;
  const override: Override = {
    dialect: "verl",
    keyPath: text.slice(plus),
    operator: plus === 0 ? "set" : plus === 1 ? "add" : "addOrSet",
    error: { code: "EQUALS_MISSING", message, span: keySpan, ...(fix && { fix }) },
    keySpan,
    valueSpan: sourceSpan(word, text.length, text.length),
    ...ofCall(word, context),
  };
  return { override, swallowed: 0 };
}

/** Takes the blanks around the sign away. */
function joinedBySign(word: ShellWord, following: readonly ShellWord[], source: string): QuickFix | undefined {
  const [sign, value] = following;
  if (sign === undefined || word.splitFrom !== undefined || !sign.text.startsWith("=")) return undefined;
  const last = sign.text === "=" ? value : sign;
  if (last === undefined || last.splitFrom !== undefined) return undefined;
  const span = { start: word.span.end, end: last.span.start };
  if (span.start > span.end || !/^[ \t]*=?[ \t]*$/.test(source.slice(span.start, span.end))) return undefined;
  return { title: "Remove the blanks around =", edits: [{ span, newText: last === sign ? "" : "=" }] };
}

/** A value that blanks cut stands in several words. */
function writableIn({ word, equals, canEdit }: ReadWord, found: FoundTrap | undefined): Pick<Override, "writable"> {
  if (!canEdit || equals < 0 || (found?.swallowed ?? 0) > 0) return {};
  const writable = writableValue(word, equals);
  return writable === undefined ? {} : { writable };
}

interface Read {
  readonly override: Override;
  readonly swallowed: number;
}

function errorOf(read: ReadWord, error: HydraError | undefined): OverrideError | undefined {
  const bad = read.word.badSubstitutions[0];
  if (bad !== undefined) {
    return { code: "BAD_SUBSTITUTION", message: "bash refuses the whole command: bad substitution.", span: bad };
  }
  if (error === undefined) return undefined;
  const span = sourceSpan(read.word, error.span.start, error.span.end);
  const placed = { code: error.code, message: error.message, span };
  const fix = fixValue(read, "Quote for Hydra and the shell", meantValue(read, error));
  return fix === undefined ? placed : { ...placed, fix };
}

/** Bare braces, brackets and sweeps are nearly always a list whose quotes or brackets are missing. */
function meantValue(read: ReadWord, error: HydraError): string | undefined {
  const isAboutQuotes = ["BRACE_UNQUOTED", "BRACKET_UNQUOTED", "SWEEP_IN_SINGLE_RUN"].includes(error.code);
  const text = read.word.text.slice(read.equals + 1);
  const isList = read.expects === "list" || text.startsWith("[");
  return isAboutQuotes && isList ? meantList(text) : undefined;
}

/** As written, with the shell's quotes; else the stretch of the first character. */
function valueSpanOf(word: ShellWord, equals: number, last: ShellWord | undefined): TextSpan {
  const end = word.text.length;
  if (equals < 0) return sourceSpan(word, end, end);
  const own = valueSource(word, equals) ?? sourceSpan(word, equals + 1, end);
  const sign = word.ends[equals] ?? own.start;
  if (word.braces !== undefined && sign <= word.braces.start && sign >= word.span.start) {
    return { start: sign, end: word.span.end };
  }
  const lastEnd = last?.splitFrom === undefined ? last?.span.end : last.ends.at(-1);
  return lastEnd === undefined || lastEnd < own.start ? own : { start: own.start, end: lastEnd };
}

/** The same value with places in the original text. */
function placeValue(value: HydraValue, traced: TracedText): HydraValue {
  const span = sourceSpan(traced, value.span.start, value.span.end);
  switch (value.kind) {
    case "list":
    case "sweep":
      return { ...value, span, items: value.items.map((item) => placeValue(item, traced)) };
    case "dict": {
      const entries = value.entries.map((entry) => ({
        ...entry,
        keySpan: sourceSpan(traced, entry.keySpan.start, entry.keySpan.end),
        value: placeValue(entry.value, traced),
      }));
      return { ...value, span, entries };
    }
    case "function":
      return { ...value, span, args: value.args.map((arg) => ({ ...arg, value: placeValue(arg.value, traced) })) };
    default:
      return { ...value, span };
  }
}

function veomniOverride(flag: VeomniFlag, context: Context): Override {
  const { word, values, keyPath, inlineAt } = flag;
  const end = word.text.length;
  const last = values.at(-1);
  const first = values[0];
  const inline = sourceSpan(word, inlineAt ?? end, end);
  const ordered = first !== undefined && last !== undefined && last.span.end >= first.span.start;
  const valueSpan = ordered ? { start: first.span.start, end: last.span.end } : inline;
  const keyStart = word.text.startsWith("--") ? 2 : 0;
  return {
    dialect: "veomni",
    keyPath,
    operator: "flag",
    value: flagValue(flag, valueSpan),
    keySpan: sourceSpan(word, keyStart, keyStart + keyPath.length),
    valueSpan,
    ...([word, ...values].every((each) => mayEdit(each, context)) &&
    ordered &&
    [word, ...values].every(({ splitFrom }) => splitFrom === undefined)
      ? { writable: { span: valueSpan, quotes: "none" } as const }
      : {}),
    call: context.call,
    ...(context.task !== undefined && { task: context.task }),
    ...(word.alternative !== undefined && { alternative: word.alternative }),
    assumesDefault: word.assumesDefault || values.some((value) => value.assumesDefault),
  };
}

/** The types of flags are those of the arguments, so one word stays text and several are a list of texts. */
function flagValue({ word, values, inlineAt }: VeomniFlag, span: TextSpan): HydraValue {
  if (inlineAt !== undefined) return textValue(word.text.slice(inlineAt), span);
  if (values.length === 0) return { kind: "bool", value: true, span };
  const items = values.map((value) => textValue(value.text, sourceSpan(value, 0, value.text.length)));
  const [only] = items;
  return items.length === 1 && only !== undefined ? only : { kind: "list", items, span };
}

function textValue(text: string, span: TextSpan): HydraValue {
  if (text.includes(UNKNOWN_MARK)) return { kind: "unknown", text, span };
  return { kind: "string", text, interpolations: [], span };
}
