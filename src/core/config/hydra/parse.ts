import type { TextSpan } from "../document/diagnostic.js";
import { lexValue, type Token } from "./lexer.js";
import { isPrimitiveToken, keyText, primitiveValue } from "./primitive.js";
import type {
  DictEntry,
  FunctionArgument,
  FunctionRole,
  HydraError,
  HydraErrorCode,
  HydraKey,
  HydraOperator,
  HydraValue,
} from "./value.js";

/** An override that the grammar accepts; `value` is absent for `~key`. */
export interface HydraOverride {
  readonly key: HydraKey;
  readonly value?: HydraValue;
  /** From behind `=` to the end; empty span at the end for `~key`. */
  readonly valueSpan: TextSpan;
}

/** The parts that could be read are kept beside an error, so that help for the key survives a broken value. */
export type HydraParse =
  | { readonly ok: true; readonly override: HydraOverride }
  | { readonly ok: false; readonly error: HydraError; readonly key?: HydraKey; readonly valueSpan?: TextSpan };

/** Deeper lists, dictionaries and calls are refused; Hydra itself runs out of stack far later. */
const MAX_DEPTH = 64;

const ID = "[A-Za-z_][A-Za-z0-9_-]*";
const SPECIAL = "[A-Za-z_$][A-Za-z0-9_$-]*";
const STEP = `(?:${SPECIAL}|(?:0|[1-9](?:_?[0-9])*))`;
const PACKAGE = `(?:${STEP}(?:\\.${STEP})+|${SPECIAL})`;
const KEY = new RegExp(`^(~|\\+\\+?)?(${ID}(?:/${ID})+|${PACKAGE})?(?:@(${PACKAGE})?)?$`);

/** Functions that Hydra 1.3 registers, and `extend_list` of the main branch. */
const FUNCTIONS: ReadonlyMap<string, FunctionRole> = new Map([
  ["int", "cast"],
  ["float", "cast"],
  ["str", "cast"],
  ["bool", "cast"],
  ["json_str", "cast"],
  ["choice", "sweep"],
  ["range", "sweep"],
  ["interval", "sweep"],
  ["glob", "sweep"],
  ["shuffle", "other"],
  ["sort", "other"],
  ["tag", "other"],
  ["extend_list", "other"],
]);

/**
 * Reads one override as Hydra 1.3's command line does (grammar of `hydra/grammar/OverrideParser.g4`): key, operator and
 * typed value, or the first thing that the grammar refuses. Never throws; work is linear in the length of `text`.
 */
export function parseOverride(text: string): HydraParse {
  const equals = text.indexOf("=");
  const left = equals < 0 ? text : text.slice(0, equals);
  const key = readKey(left);
  if (key === undefined) {
    const span = { start: 0, end: left.length };
    const message = `"${left}" is not a key: letters, digits, _, - and dots, a group with slashes, optionally @package.`;
    return { ok: false, error: { code: "KEY_MALFORMED", message, span } };
  }
  if (equals < 0) return withoutEquals(text, key);
  const valueSpan = { start: equals + 1, end: text.length };
  const read = parseValue(text, equals + 1);
  if (read.ok) return { ok: true, override: { key, value: read.value, valueSpan } };
  return { ok: false, error: read.error, key, valueSpan };
}

function readKey(left: string): HydraKey | undefined {
  const match = KEY.exec(left);
  if (match === null) return undefined;
  const sign = match[1] ?? "";
  const operator: HydraOperator = sign === "~" ? "delete" : sign === "+" ? "add" : sign === "++" ? "addOrSet" : "set";
  const span = { start: sign.length, end: sign.length + (match[2] ?? "").length };
  const at = left.indexOf("@");
  const key = { operator, path: match[2] ?? "", span };
  return at < 0 ? key : { ...key, package: match[3] ?? "" };
}

function withoutEquals(text: string, key: HydraKey): HydraParse {
  const end = { start: text.length, end: text.length };
  if (key.operator === "delete") return { ok: true, override: { key, valueSpan: end } };
  return {
    ok: false,
    error: { code: "EQUALS_MISSING", message: `"${text}" has no "=" and no value.`, span: end },
    key,
  };
}

/** A value, or why there is none. */
export type ValueParse =
  | { readonly ok: true; readonly value: HydraValue }
  | { readonly ok: false; readonly error: HydraError };

/** Reads the value side of an override from offset `from` to the end; an empty one is the empty string. */
export function parseValue(text: string, from = 0): ValueParse {
  const { tokens, error } = lexValue(text, skipBlank(text, from));
  // A stray character is reported only if the tokens before it are fine: then it is the first thing that is wrong.
  const reader = new ValueReader(tokens, text.length, error);
  try {
    return { ok: true, value: reader.readWhole(from) };
  } catch (refusal) {
    if (refusal instanceof Refusal) return { ok: false, error: refusal.error };
    throw refusal;
  }
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** Unwinds the recursive reader; never leaves this file. */
class Refusal extends Error {
  constructor(readonly error: HydraError) {
    super(error.message);
  }
}

class ValueReader {
  private at = 0;
  private depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly end: number,
    private readonly lexError: HydraError | undefined,
  ) {}

  readWhole(from: number): HydraValue {
    if (this.tokens.length === 0 && this.lexError === undefined) {
      const span = { start: from, end: this.end };
      return { kind: "string", text: "", interpolations: [], span };
    }
    const items = [this.readElement()];
    while (this.take("comma")) items.push(this.readElement());
    const rest = this.peek();
    if (rest !== undefined) this.refuseToken(rest);
    if (this.lexError !== undefined) throw new Refusal(this.lexError);
    const [first, ...others] = items;
    if (first === undefined) throw new Error("a value has at least one element");
    const last = others.at(-1);
    return last === undefined ? first : { kind: "sweep", items, span: { start: first.span.start, end: last.span.end } };
  }

  private peek(ahead = 0): Token | undefined {
    return this.tokens[this.at + ahead];
  }

  private take(kind: Token["kind"]): Token | undefined {
    const token = this.peek();
    if (token?.kind !== kind) return undefined;
    this.at++;
    return token;
  }

  private readElement(): HydraValue {
    if (this.depth >= MAX_DEPTH) this.refuse("NESTING_TOO_DEEP", "The value is nested too deeply.", this.peek());
    this.depth++;
    const value = this.readElementInside();
    this.depth--;
    return value;
  }

  private readElementInside(): HydraValue {
    const token = this.peek();
    if (token === undefined) return this.refuse("ELEMENT_MISSING", "A value is missing here.", undefined);
    if (token.kind === "bracketOpen") return this.readList(token);
    if (token.kind === "braceOpen") return this.readDict(token);
    if (token.kind === "id" && this.peek(1)?.kind === "popen") return this.readCall(token);
    return this.readPrimitive(token);
  }

  private readPrimitive(first: Token): HydraValue {
    if (first.kind === "quoted") {
      this.at++;
      return primitiveValue([first]) ?? this.refuseToken(first);
    }
    const tokens = this.takePrimitiveTokens(false);
    if (tokens.length === 0) return this.refuseToken(first);
    return primitiveValue(tokens) ?? this.refuse("ELEMENT_MISSING", "A value cannot be white space only.", first);
  }

  private takePrimitiveTokens(asKey: boolean): Token[] {
    const tokens: Token[] = [];
    for (let token = this.peek(); token !== undefined && isPrimitiveToken(token, asKey); token = this.peek()) {
      tokens.push(token);
      this.at++;
    }
    return tokens;
  }

  private readList(open: Token): HydraValue {
    this.at++;
    const items: HydraValue[] = [];
    if (this.peek()?.kind !== "bracketClose") {
      do items.push(this.readElement());
      while (this.take("comma"));
    }
    const close = this.close("bracketClose", "LIST_UNCLOSED", "The list opened by [ is never closed.", open);
    return { kind: "list", items, span: { start: open.start, end: close.end } };
  }

  private readDict(open: Token): HydraValue {
    this.at++;
    const entries: DictEntry[] = [];
    if (this.peek()?.kind !== "braceClose") {
      do entries.push(this.readEntry(open));
      while (this.take("comma"));
    }
    const close = this.close("braceClose", "DICT_UNCLOSED", "The dictionary opened by { is never closed.", open);
    return { kind: "dict", entries, span: { start: open.start, end: close.end } };
  }

  private readEntry(open: Token): DictEntry {
    const start = this.peek();
    const tokens = this.takePrimitiveTokens(true);
    const first = tokens[0];
    const last = tokens.at(-1);
    if (first === undefined || last === undefined) {
      if (start?.kind === "quoted")
        return this.refuse("COLON_MISSING", "A key of a dictionary takes no quotes.", start);
      return start === undefined ? this.refuseBrace(open) : this.refuseToken(start);
    }
    if (!this.take("colon")) return this.refuseBrace(open);
    const keySpan = { start: first.start, end: last.end };
    return { key: keyText(tokens), keySpan, value: this.readElement() };
  }

  private readCall(name: Token): HydraValue {
    const role = FUNCTIONS.get(name.text);
    if (role === undefined) {
      this.refuse("FUNCTION_UNKNOWN", `Hydra has no function "${name.text}"; quote the text to keep it.`, name);
    }
    this.at += 2;
    const args: FunctionArgument[] = [];
    if (this.peek()?.kind !== "pclose") {
      do args.push(this.readArgument(args.at(-1)?.name !== undefined));
      while (this.take("comma"));
    }
    const close = this.close("pclose", "CALL_UNCLOSED", "The call opened by ( is never closed.", name);
    return { kind: "function", name: name.text, role, args, span: { start: name.start, end: close.end } };
  }

  private readArgument(afterNamed: boolean): FunctionArgument {
    const token = this.peek();
    if (token?.kind === "id" && this.peek(1)?.kind === "equal") {
      this.at += 2;
      return { name: token.text, value: this.readElement() };
    }
    if (afterNamed) this.refuse("POSITIONAL_AFTER_NAMED", "A positional argument follows a named one.", token);
    return { value: this.readElement() };
  }

  private close(kind: Token["kind"], code: HydraErrorCode, message: string, open: Token): Token {
    const token = this.take(kind);
    if (token !== undefined) return token;
    const found = this.peek();
    return found === undefined ? this.refuse(code, message, open) : this.refuseToken(found);
  }

  private refuseBrace(open: Token): never {
    return this.refuse("BRACE_UNQUOTED", "A brace opens a dictionary here; quote the text or write \\{.", open);
  }

  private refuseToken(token: Token): never {
    const text = token.text.trim();
    switch (token.kind) {
      case "braceOpen":
      case "braceClose":
        return this.refuse(
          "BRACE_UNQUOTED",
          `A bare ${text} is not allowed here; quote the text or write \\${text}.`,
          token,
        );
      case "bracketOpen":
      case "bracketClose":
        return this.refuse(
          "BRACKET_UNQUOTED",
          `A bare ${text} is not allowed here; quote the text or write \\${text}.`,
          token,
        );
      case "popen":
      case "pclose":
        return this.refuse("PARENTHESIS_UNQUOTED", `A bare ${text} is not allowed here; quote the text.`, token);
      case "equal":
        return this.refuse("EQUALS_IN_VALUE", "A bare = is not allowed in a value; quote the text.", token);
      case "comma":
        return this.refuse("ELEMENT_MISSING", "A value is missing before this comma.", token);
      default:
        return this.refuse("TEXT_BESIDE_QUOTES", "Text beside a quoted value is not allowed; quote all of it.", token);
    }
  }

  /** Without a token the text ended: a stray character there is the better explanation. */
  private refuse(code: HydraErrorCode, message: string, token: Token | undefined): never {
    if (this.lexError !== undefined && (token === undefined || this.at >= this.tokens.length)) {
      throw new Refusal(this.lexError);
    }
    const span = token === undefined ? { start: this.end, end: this.end } : { start: token.start, end: token.end };
    throw new Refusal({ code, message, span });
  }
}
