import { Cursor, end, isSpaceOrEnd } from "./cursor.js";
import { scanAnchor, scanDirective, scanTag } from "./scanProperties.js";
import { scanBlockScalar, scanPlain, scanQuoted, startsPlain, strangerProblem } from "./scanScalars.js";
import type { Token, TokenKind } from "./tokens.js";

/** A token that turns out to be a key when a colon follows it on its line. */
interface SimpleKey {
  readonly number: number;
  /** It stands where only a key may stand. */
  readonly required: boolean;
  readonly at: number;
  readonly index: number;
  readonly line: number;
  readonly column: number;
}

const maxKeyLength = 1024;

/**
 * The tokens of a YAML 1.1 text as PyYAML's `Scanner` finds them, one after another. A key is only known when its colon comes,
 * so that the tokens of its line are held back until then. Throws `YamlRefusal`.
 */
export class Scanner {
  readonly #cursor: Cursor;
  readonly #tokens: Token[] = [];
  #taken = 0;
  #isDone = false;
  #flowLevel = 0;
  #indent = -1;
  readonly #outerIndents: number[] = [];
  #allowsKey = true;
  readonly #keys = new Map<number, SimpleKey>();

  constructor(text: string) {
    this.#cursor = new Cursor(text);
  }

  /** The next token; behind the last one again and again `stream-end`. */
  peek(): Token {
    while (this.#needsMore()) this.#fetch();
    return this.#tokens[0] ?? { kind: "stream-end", start: this.#cursor.at, end: this.#cursor.at, text: "" };
  }

  take(): Token {
    const token = this.peek();
    if (token.kind !== "stream-end") {
      this.#tokens.shift();
      this.#taken++;
    }
    return token;
  }

  #needsMore(): boolean {
    if (this.#isDone) return false;
    if (this.#tokens.length === 0) return true;
    this.#dropStaleKeys();
    let first = Number.POSITIVE_INFINITY;
    for (const key of this.#keys.values()) first = Math.min(first, key.number);
    return first === this.#taken;
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipToToken();
    this.#dropStaleKeys();
    this.#unwind(cursor.column);
    const letter = cursor.peek();
    if (letter === end) this.#endStream();
    else if (!this.#fetchOwnLine(letter) && !this.#fetchIndicator(letter)) this.#fetchContent(letter);
  }

  /** Directives and document marks stand in the first column. */
  #fetchOwnLine(letter: string): boolean {
    const cursor = this.#cursor;
    if (cursor.column !== 0) return false;
    if (letter === "%") this.#onOwnLine(() => scanDirective(cursor));
    else if (cursor.isAtDocumentMark("---")) this.#onOwnLine(() => this.#marker("document-start", 3));
    else if (cursor.isAtDocumentMark("...")) this.#onOwnLine(() => this.#marker("document-end", 3));
    else return false;
    return true;
  }

  /** In braces and brackets, `?` and `:` need no blank space behind them. */
  #fetchIndicator(letter: string): boolean {
    const isSeparate = isSpaceOrEnd(this.#cursor.peek(1));
    const isIndicator = this.#flowLevel !== 0 || isSeparate;
    if (letter === "[" || letter === "{") this.#openFlow(letter);
    else if (letter === "]" || letter === "}") this.#closeFlow(letter);
    else if (letter === ",") this.#flowEntry();
    else if (letter === "-" && isSeparate) this.#blockEntry();
    else if (letter === "?" && isIndicator) this.#explicitKey();
    else if (letter === ":" && isIndicator) this.#value();
    else return false;
    return true;
  }

  #fetchContent(letter: string): void {
    const cursor = this.#cursor;
    if (letter === "*" || letter === "&") this.#keyed(() => scanAnchor(cursor));
    else if (letter === "!") this.#keyed(() => scanTag(cursor));
    else if ((letter === "|" || letter === ">") && this.#flowLevel === 0) this.#blockScalar();
    else if (letter === "'" || letter === '"') this.#keyed(() => scanQuoted(cursor));
    else if (startsPlain(cursor, this.#flowLevel !== 0)) this.#plain();
    else throw strangerProblem(cursor);
  }

  /** Only at the very start of a text a byte order mark is none of its characters. */
  #skipToToken(): void {
    const cursor = this.#cursor;
    if (cursor.at === 0 && cursor.peek() === "\uFEFF") cursor.forward();
    for (;;) {
      cursor.skipBlanks();
      cursor.skipComment();
      if (cursor.takeBreak() === "") return;
      if (this.#flowLevel === 0) this.#allowsKey = true;
    }
  }

  #dropStaleKeys(): void {
    const { line, index } = this.#cursor;
    for (const [level, key] of this.#keys) {
      if (key.line === line && index - key.index <= maxKeyLength) continue;
      if (key.required) throw this.#missingColon(key);
      this.#keys.delete(level);
    }
  }

  #missingColon(key: SimpleKey): Error {
    const message =
      "This stands where a key must, and no colon with a space follows it on its line. Look at the indentation";
    return this.#cursor.refuse("MISSING_COLON", message, key.at);
  }

  #saveKey(): void {
    if (!this.#allowsKey) return;
    this.#removeKey();
    const { at, index, line, column } = this.#cursor;
    const required = this.#flowLevel === 0 && this.#indent === column;
    const number = this.#taken + this.#tokens.length;
    this.#keys.set(this.#flowLevel, { number, required, at, index, line, column });
  }

  #removeKey(): void {
    const key = this.#keys.get(this.#flowLevel);
    if (key?.required) throw this.#missingColon(key);
    this.#keys.delete(this.#flowLevel);
  }

  #unwind(column: number): void {
    if (this.#flowLevel !== 0) return;
    while (this.#indent > column) {
      this.#indent = this.#outerIndents.pop() ?? -1;
      this.#tokens.push(this.#empty("block-end"));
    }
  }

  #deepen(column: number): boolean {
    if (this.#indent >= column) return false;
    this.#outerIndents.push(this.#indent);
    this.#indent = column;
    return true;
  }

  #empty(kind: TokenKind, at = this.#cursor.at): Token {
    return { kind, start: at, end: at, text: "" };
  }

  #marker(kind: TokenKind, length = 1): Token {
    const start = this.#cursor.at;
    this.#cursor.forward(length);
    return { kind, start, end: this.#cursor.at, text: "" };
  }

  #endStream(): void {
    this.#unwind(-1);
    this.#removeKey();
    this.#keys.clear();
    this.#tokens.push(this.#empty("stream-end"));
    this.#isDone = true;
  }

  #onOwnLine(scan: () => Token): void {
    this.#unwind(-1);
    this.#removeKey();
    this.#allowsKey = false;
    this.#tokens.push(scan());
  }

  #openFlow(letter: string): void {
    this.#saveKey();
    this.#flowLevel++;
    this.#allowsKey = true;
    this.#tokens.push(this.#marker(letter === "[" ? "flow-sequence-start" : "flow-mapping-start"));
  }

  #closeFlow(letter: string): void {
    this.#removeKey();
    this.#flowLevel--;
    this.#allowsKey = false;
    this.#tokens.push(this.#marker(letter === "]" ? "flow-sequence-end" : "flow-mapping-end"));
  }

  #flowEntry(): void {
    this.#allowsKey = true;
    this.#removeKey();
    this.#tokens.push(this.#marker("flow-entry"));
  }

  #blockEntry(): void {
    if (this.#flowLevel === 0) this.#startBlock("block-sequence-start", "A list item must start on a line of its own");
    this.#allowsKey = true;
    this.#removeKey();
    this.#tokens.push(this.#marker("block-entry"));
  }

  #explicitKey(): void {
    if (this.#flowLevel === 0) this.#startBlock("block-mapping-start", "A key must start on a line of its own");
    this.#allowsKey = this.#flowLevel === 0;
    this.#removeKey();
    this.#tokens.push(this.#marker("key"));
  }

  #startBlock(kind: TokenKind, message: string): void {
    if (!this.#allowsKey) throw this.#cursor.refuse("NOT_ALLOWED_HERE", message);
    if (this.#deepen(this.#cursor.column)) this.#tokens.push(this.#empty(kind));
  }

  #value(): void {
    const key = this.#keys.get(this.#flowLevel);
    if (key !== undefined) this.#insertKey(key);
    else {
      const message = "A second `key:` on the same line needs a line of its own, or quotes around the text";
      if (this.#flowLevel === 0) this.#startBlock("block-mapping-start", message);
      this.#allowsKey = this.#flowLevel === 0;
      this.#removeKey();
    }
    this.#tokens.push(this.#marker("value"));
  }

  #insertKey(key: SimpleKey): void {
    this.#keys.delete(this.#flowLevel);
    const at = key.number - this.#taken;
    this.#tokens.splice(at, 0, this.#empty("key", key.at));
    if (this.#flowLevel === 0 && this.#deepen(key.column)) {
      this.#tokens.splice(at, 0, this.#empty("block-mapping-start", key.at));
    }
    this.#allowsKey = false;
  }

  #keyed(scan: () => Token): void {
    this.#saveKey();
    this.#allowsKey = false;
    this.#tokens.push(scan());
  }

  #blockScalar(): void {
    this.#allowsKey = true;
    this.#removeKey();
    this.#tokens.push(scanBlockScalar(this.#cursor, this.#indent));
  }

  #plain(): void {
    this.#saveKey();
    this.#allowsKey = false;
    const { token, crossed } = scanPlain(this.#cursor, this.#indent, this.#flowLevel !== 0);
    if (crossed) this.#allowsKey = true;
    this.#tokens.push(token);
  }
}
