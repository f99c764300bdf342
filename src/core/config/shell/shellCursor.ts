import { endsWord, readHereText, readWord } from "./readWord.js";
import { type HereDocument, lineEnd, readHereDocument, skipHereDocuments } from "./skipNested.js";
import type { ShellInput, Word } from "./syntax.js";

const RESERVED = /[A-Za-z_]+(?=[ \t\n;&|()<>]|$)|[{}!](?=[ \t\n;&|()<>]|$)|\[\[(?=[ \t\n])/y;
const REDIRECTION = /(?:\d+|\{[A-Za-z_]\w*\})?(?:<<<|<>|<&|>&|>>|>\||&>>|&>|<|>)/y;
const HERE_OPERATOR = /\d*<<(?!<)/y;

/** Moves through a script: blanks, comments, separators, reserved words, redirections, here-documents. */
export class ShellCursor {
  private pending: HereDocument[] = [];
  private inputs: ShellInput[] = [];
  /** What the redirections of the command so far say. */
  protected redirected: { input?: ShellInput; output?: Word } = {};

  constructor(
    protected readonly text: string,
    protected at: number,
  ) {}

  /** Moves to the next command; false at the end of the text. */
  protected skipSeparators(): boolean {
    for (;;) {
      this.skipBlanks();
      const character = this.text[this.at];
      if (character === undefined) return false;
      if (character === "\n") this.takeLineBreak();
      else if (character === "&" || (character === ";" && this.text[this.at + 1] !== ";")) this.at++;
      else return true;
    }
  }

  /** Blanks, continued lines and comments. */
  protected skipBlanks(): void {
    for (;;) {
      const character = this.text[this.at];
      if (character === " " || character === "\t") this.at++;
      else if (character === "\\" && this.text[this.at + 1] === "\n") this.at += 2;
      else if (character === "#") this.at = lineEnd(this.text, this.at);
      else return;
    }
  }

  protected takeLineBreak(): void {
    this.at = skipHereDocuments(this.text, this.at + 1, this.pending);
    for (const [i, { body, isLiteral }] of this.pending.entries()) {
      const input = this.inputs[i];
      if (input !== undefined && body !== undefined) input.word = readHereText(this.text, body, isLiteral);
    }
    this.pending = [];
    this.inputs = [];
  }

  protected skipLineBreaks(): void {
    for (this.skipBlanks(); this.text[this.at] === "\n"; this.skipBlanks()) this.takeLineBreak();
  }

  protected match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    return pattern.exec(this.text) ?? undefined;
  }

  protected peekReserved(): string | undefined {
    return this.match(RESERVED)?.[0];
  }

  protected takeReserved(word: string): boolean {
    this.skipBlanks();
    if (this.peekReserved() !== word) return false;
    this.at += word.length;
    return true;
  }

  protected readWords(into: Word[]): void {
    for (;;) {
      this.skipBlanks();
      if (endsWord(this.text[this.at]) && !this.isSubstitution()) return;
      const word = readWord(this.text, this.at);
      if (word.end === this.at) return;
      this.at = word.end;
      into.push(word);
    }
  }

  protected isSubstitution(): boolean {
    return this.text.startsWith("<(", this.at) || this.text.startsWith(">(", this.at);
  }

  protected skipRedirections(): void {
    for (this.skipBlanks(); this.skipRedirection(); ) this.skipBlanks();
  }

  protected skipRedirection(): boolean {
    if (this.isSubstitution()) return false;
    const hereDocument = this.match(HERE_OPERATOR);
    if (hereDocument !== undefined) {
      this.at = readHereDocument(this.text, this.at + hereDocument[0].length - 2, this.pending);
      this.redirected.input = {};
      if (this.pending.length > this.inputs.length) this.inputs.push(this.redirected.input);
      return true;
    }
    const match = this.match(REDIRECTION);
    if (match === undefined) return false;
    this.at += match[0].length;
    this.skipBlanks();
    const word = readWord(this.text, this.at);
    this.at = word.end;
    if (match[0] === "<<<") this.redirected.input = { word };
    else if (/^1?>[>|]?$/.test(match[0])) this.redirected.output = word;
    return true;
  }
}
