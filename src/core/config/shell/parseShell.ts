import { changedBy } from "./arithmetic.js";
import { endsWord, readWord } from "./readWord.js";
import { ShellCursor } from "./shellCursor.js";
import { writtenBy } from "./shellInput.js";
import { skipNested } from "./skipNested.js";
import type { Assignment, Node, Word } from "./syntax.js";

/** Deeper compound commands are stepped over. */
const MAX_DEPTH = 48;

const ASSIGNMENT = /([A-Za-z_][A-Za-z0-9_]*)(\[[^\]\n]{0,200}\])?(\+?)=/y;
const FUNCTION_NAME = /function[ \t]+([^ \t\n(){};&|<>]+)[ \t]*(?:\([ \t]*\))?/y;
const FUNCTION_PARENTHESES = /[ \t]*\([ \t]*\)/y;
const LOOP_NAME = /[ \t]*([A-Za-z_][A-Za-z0-9_]*)/y;

/** Words that assign their arguments instead of receiving them. */
export const DECLARERS = new Set(["export", "local", "declare", "typeset", "readonly"]);
/** Words that close something; met where nothing is open they are stepped over. */
const CLOSERS = new Set(["then", "elif", "else", "fi", "do", "done", "esac", "}"]);

/**
 * Reads a shell script into commands. Tolerant: whatever is broken or half typed is stepped over and the rest is read.
 * Never throws, always ends; work is linear in the length of `text`.
 */
export function parseShell(text: string, start = 0): readonly Node[] {
  return new ShellParser(text, start).parseList(new Set(), false);
}

class ShellParser extends ShellCursor {
  private depth = 0;

  /** Reads commands until a reserved word of `stops`, a `)` if `inParentheses`, `;;`, or the end. */
  parseList(stops: ReadonlySet<string>, inParentheses: boolean): Node[] {
    const nodes: Node[] = [];
    while (this.skipSeparators()) {
      const before = this.at;
      const character = this.text[this.at];
      if (character === ")") {
        if (inParentheses) return nodes;
        this.at++;
        continue;
      }
      if (this.text.startsWith(";;", this.at)) {
        if (stops.has(";;")) return nodes;
        this.at += 2;
        continue;
      }
      const word = this.peekReserved();
      if (word !== undefined && stops.has(word)) return nodes;
      if (word !== undefined && CLOSERS.has(word)) {
        this.at += word.length;
        continue;
      }
      this.parseAndOr(nodes);
      if (this.at === before) this.at++;
    }
    return nodes;
  }

  private parseAndOr(into: Node[]): void {
    for (const node of this.parsePipeline()) into.push(node);
    for (;;) {
      this.skipBlanks();
      if (!this.text.startsWith("&&", this.at) && !this.text.startsWith("||", this.at)) return;
      this.at += 2;
      this.skipLineBreaks();
      const branch = this.parsePipeline();
      if (branch.length > 0) into.push({ kind: "choice", branches: [branch], exhaustive: false });
    }
  }

  private parsePipeline(): Node[] {
    const parts: Node[] = [];
    for (;;) {
      while (this.takeReserved("!") || this.takeReserved("time")) this.skipBlanks();
      const node = this.parseCommand();
      if (node !== undefined) parts.push(node);
      this.skipBlanks();
      if (this.text[this.at] !== "|" || this.text[this.at + 1] === "|") break;
      this.at += this.text[this.at + 1] === "&" ? 2 : 1;
      this.skipLineBreaks();
    }
    if (parts.length < 2) return parts;
    return parts.map((part, i) => ({ kind: "group", subshell: true, body: [withInputOf(parts[i - 1], part)] }));
  }

  private parseCommand(): Node | undefined {
    if (this.depth >= MAX_DEPTH) return this.parseSimple();
    this.depth++;
    const node = this.parseCompound();
    this.depth--;
    if (node === undefined) return this.parseSimple();
    this.skipRedirections();
    return node;
  }

  private parseCompound(): Node | undefined {
    if (this.text.startsWith("((", this.at)) return this.skipArithmetic();
    if (this.text[this.at] === "(") return this.parseSubshell();
    switch (this.peekReserved()) {
      case "if":
        return this.parseIf();
      case "for":
      case "select":
        return this.parseFor();
      case "while":
      case "until":
        return this.parseWhile();
      case "case":
        return this.parseCase();
      case "function":
        return this.parseFunctionWord();
      case "{":
        this.at++;
        return { kind: "group", subshell: false, body: this.parseBody("}") };
      case "[[":
        return this.skipTest();
      default:
        return undefined;
    }
  }

  /** Reads up to and over the closing word. */
  private parseBody(close: string): Node[] {
    const body = this.parseList(new Set([close]), false);
    this.takeReserved(close);
    return body;
  }

  private skipArithmetic(): Node {
    const start = this.at + 2;
    this.at = skipNested(this.text, start, "a");
    return { kind: "arithmetic", changes: changedBy(this.text.slice(start, this.at)) };
  }

  private skipTest(): Node {
    this.at += 2;
    while (this.at < this.text.length && this.text[this.at] !== "\n") {
      if (this.text.startsWith("]]", this.at)) {
        this.at += 2;
        break;
      }
      const word = readWord(this.text, this.at);
      this.at = Math.max(word.end, this.at + 1);
      if (this.text.slice(word.start, word.end) === "]]") break;
    }
    return { kind: "group", subshell: true, body: [] };
  }

  private parseSubshell(): Node {
    this.at++;
    const body = this.parseList(new Set(), true);
    if (this.text[this.at] === ")") this.at++;
    return { kind: "group", subshell: true, body };
  }

  private parseIf(): Node {
    this.at += 2;
    const condition = this.parseList(new Set(["then", "fi"]), false);
    const branches: Node[][] = [];
    let exhaustive = false;
    for (;;) {
      if (this.takeReserved("then") || this.takeReserved("else")) {
        branches.push(this.parseList(new Set(["elif", "else", "fi"]), false));
      } else if (this.takeReserved("elif")) {
        for (const node of this.parseList(new Set(["then", "fi"]), false)) condition.push(node);
      } else {
        break;
      }
      exhaustive ||= this.peekReserved() === "else";
    }
    this.takeReserved("fi");
    const choice: Node = { kind: "choice", branches, exhaustive };
    return { kind: "group", subshell: false, body: [...condition, choice] };
  }

  private parseFor(): Node {
    this.at += this.peekReserved()?.length ?? 0;
    this.skipBlanks();
    const counter = this.text.startsWith("((", this.at) ? [this.skipArithmetic()] : [];
    const name = this.match(LOOP_NAME);
    const words: Word[] = [];
    if (name !== undefined) {
      this.at += name[0].length;
      this.skipLineBreaks();
      if (this.takeReserved("in")) this.readWords(words);
    }
    const body = [...counter, ...this.parseLoopBody()];
    return name?.[1] === undefined ? { kind: "loop", words, body } : { kind: "loop", variable: name[1], words, body };
  }

  private parseWhile(): Node {
    this.at += this.peekReserved()?.length ?? 0;
    const condition = this.parseList(new Set(["do", "done"]), false);
    return { kind: "loop", words: [], body: [...condition, ...this.parseLoopBody()] };
  }

  private parseLoopBody(): Node[] {
    this.skipSeparators();
    if (this.peekReserved() === "{") {
      this.at++;
      return this.parseBody("}");
    }
    this.takeReserved("do");
    return this.parseBody("done");
  }

  private parseCase(): Node {
    this.at += 4;
    this.skipBlanks();
    this.at = readWord(this.text, this.at).end;
    this.skipLineBreaks();
    this.takeReserved("in");
    const branches: Node[][] = [];
    let exhaustive = false;
    while (this.skipSeparators() && !this.takeReserved("esac")) {
      const before = this.at;
      exhaustive = this.skipCasePatterns() || exhaustive;
      branches.push(this.parseList(new Set([";;", "esac"]), false));
      while (this.text[this.at] === ";" || this.text[this.at] === "&") this.at++;
      if (this.at === before) this.at++;
    }
    return { kind: "choice", branches, exhaustive };
  }

  /** Steps over `pattern | pattern)`; true when one of them is a lone star. */
  private skipCasePatterns(): boolean {
    let any = false;
    if (this.text[this.at] === "(") this.at++;
    while (this.at < this.text.length) {
      this.skipBlanks();
      const character = this.text[this.at];
      if (character === ")") {
        this.at++;
        return any;
      }
      if (character === "\n" || character === ";") return any;
      const word = readWord(this.text, this.at);
      any ||= this.text.slice(word.start, word.end) === "*";
      this.at = Math.max(word.end, this.at + (character === "|" || word.end === this.at ? 1 : 0));
    }
    return any;
  }

  private parseFunctionWord(): Node | undefined {
    const match = this.match(FUNCTION_NAME);
    if (match === undefined) return undefined;
    this.at += match[0].length;
    return this.parseFunctionBody(match[1] ?? "");
  }

  private parseFunctionBody(name: string): Node {
    this.skipLineBreaks();
    this.depth++;
    const node = this.parseCommand();
    this.depth--;
    return { kind: "function", name, body: node === undefined ? [] : [node] };
  }

  private parseSimple(): Node | undefined {
    const start = this.at;
    const assignments: Assignment[] = [];
    const words: Word[] = [];
    this.redirected = {};
    let end = start;
    for (;;) {
      this.skipBlanks();
      if (this.skipRedirection()) continue;
      if (endsWord(this.text[this.at]) && !this.isSubstitution()) break;
      const assignment = this.takesAssignment(words) ? this.readAssignment() : undefined;
      if (assignment !== undefined) {
        assignments.push(assignment);
      } else {
        const word = readWord(this.text, this.at);
        this.at = Math.max(word.end, this.at + 1);
        words.push(word);
        if (words.length === 1 && assignments.length === 0 && this.match(FUNCTION_PARENTHESES) !== undefined) {
          return this.parseFunctionParentheses(word);
        }
      }
      end = this.at;
    }
    if (this.text[this.at] === "(") this.at = skipNested(this.text, this.at + 1, "p");
    if (assignments.length === 0 && words.length === 0) return undefined;
    return { kind: "simple", assignments, words, span: { start, end }, ...this.redirected };
  }

  private parseFunctionParentheses(name: Word): Node {
    this.at += this.match(FUNCTION_PARENTHESES)?.[0].length ?? 0;
    if (this.depth >= MAX_DEPTH) return { kind: "function", name: "", body: [] };
    return this.parseFunctionBody(this.text.slice(name.start, name.end));
  }

  private takesAssignment(words: readonly Word[]): boolean {
    const first = words[0];
    return first === undefined || DECLARERS.has(this.text.slice(first.start, first.end));
  }

  private readAssignment(): Assignment | undefined {
    const match = this.match(ASSIGNMENT);
    const name = match?.[1];
    if (match === undefined || name === undefined) return undefined;
    const nameSpan = { start: this.at, end: this.at + name.length };
    this.at += match[0].length;
    const head = { name, nameSpan, appends: match[3] === "+" };
    const subscript = match[2]?.slice(1, -1);
    const base = subscript === undefined ? head : { ...head, subscript };
    if (this.text[this.at] === "(") return { ...base, value: { kind: "array", words: this.readArray() } };
    const word = readWord(this.text, this.at);
    this.at = word.end;
    return { ...base, value: { kind: "scalar", word } };
  }

  private readArray(): Word[] {
    this.at++;
    const words: Word[] = [];
    for (;;) {
      this.skipLineBreaks();
      const character = this.text[this.at];
      if (character === undefined) return words;
      if (character === ")") {
        this.at++;
        return words;
      }
      const word = readWord(this.text, this.at);
      if (word.end === this.at) this.at++;
      else words.push(word);
      this.at = Math.max(this.at, word.end);
    }
  }
}

/** `cat <<EOF | bash`, `echo … | bash`: what one command writes is what the next one reads. */
function withInputOf(before: Node | undefined, node: Node): Node {
  if (before?.kind !== "simple" || node.kind !== "simple" || node.input !== undefined) return node;
  const input = writtenBy(before);
  return input === undefined ? node : { ...node, input };
}
