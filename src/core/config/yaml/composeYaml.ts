import { shownWord } from "../../base/shownWord.js";
import { Cursor, YamlRefusal } from "./cursor.js";
import { Scanner } from "./scanner.js";
import type { ScalarStyle, Token, TokenKind } from "./tokens.js";

/**
 * A node of a YAML text; spans leave out anchors and tags. `tag` is the full name, and absent where none is written; `!` alone
 * makes a scalar say its type itself, even in quotes.
 */
export type YamlNode = YamlScalar | YamlSequence | YamlMapping;

interface NodeBase {
  readonly start: number;
  end: number;
  readonly tag?: string;
}

export interface YamlScalar extends NodeBase {
  readonly kind: "scalar";
  readonly text: string;
  readonly style: ScalarStyle;
}

export interface YamlSequence extends NodeBase {
  readonly kind: "sequence";
  readonly flow: boolean;
  readonly items: YamlItem[];
}

export interface YamlMapping extends NodeBase {
  readonly kind: "mapping";
  readonly flow: boolean;
  readonly pairs: YamlPair[];
}

/** `target` may be a node that is not finished yet: it then holds itself. */
export interface YamlAlias {
  readonly kind: "alias";
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly target: YamlNode;
}

export type YamlItem = YamlNode | YamlAlias;

/** `value` is absent where no colon follows the key. */
export interface YamlPair {
  readonly key: YamlItem;
  readonly value?: YamlItem;
}

/** Why and where a text is refused. */
export interface Refused {
  readonly code: string;
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** The one document of a text, `undefined` for a text without one; or the first thing that PyYAML stops at. */
export type Composed = { readonly root: YamlNode | undefined } | { readonly refused: Refused };

/**
 * Reads a text as PyYAML's scanner, parser and composer do (6.0.3, `get_single_node`): the same texts are refused, and scalars
 * have the same value. Texts that nest deeper than `maxNesting` are refused with `TOO_DEEP`, as this and its callers recurse.
 */
export function composeYaml(text: string): Composed {
  try {
    return { root: new Composer(text).document() };
  } catch (error) {
    if (!(error instanceof YamlRefusal)) throw error;
    return { refused: { code: error.code, message: error.message, start: error.start, end: error.end } };
  }
}

/** How many collections may lie inside of each other. */
export const maxNesting = 100;

const standardHandles: ReadonlyMap<string, string> = new Map([
  ["!", "!"],
  ["!!", "tag:yaml.org,2002:"],
]);

class Composer {
  readonly #scanner: Scanner;
  readonly #anchors = new Map<string, YamlNode>();
  #handles: ReadonlyMap<string, string> = standardHandles;
  #depth = 0;

  constructor(private readonly text: string) {
    this.#scanner = new Scanner(text);
  }

  document(): YamlNode | undefined {
    const isExplicit = this.#is("directive", "document-start");
    if (this.#is("stream-end")) return undefined;
    if (isExplicit) this.#startDocument();
    const isEmpty = isExplicit && this.#is("directive", "document-start", "document-end", "stream-end");
    const root = isEmpty ? this.#nothing(this.#scanner.peek().start) : this.#node(true, false);
    this.#endDocument();
    return root.kind === "alias" ? root.target : root;
  }

  #startDocument(): void {
    this.#takeDirectives();
    if (!this.#is("document-start")) {
      throw this.#refuse("BAD_DIRECTIVE", "Behind a directive (%) comes ---, and then the document");
    }
    this.#scanner.take();
  }

  #endDocument(): void {
    const token = this.#scanner.peek();
    if (token.kind === "stream-end") return;
    const wasEnded = token.kind === "document-end";
    while (this.#is("document-end")) this.#scanner.take();
    if (this.#is("stream-end")) return;
    if (wasEnded || this.#is("directive", "document-start")) {
      throw this.#refuse("MULTIPLE_DOCS", "The file holds more than one YAML document; a config has exactly one");
    }
    const message =
      "The YAML above is complete before this, so nothing may follow; a bracket is too many, or the indentation too small";
    throw this.#refuse("BEHIND_DOCUMENT", message);
  }

  #takeDirectives(): void {
    const handles = new Map<string, string>();
    let hasVersion = false;
    while (this.#is("directive")) {
      const { text, handle = "" } = this.#scanner.peek();
      if (text === "YAML") {
        if (hasVersion) throw this.#refuse("REPEATED_DIRECTIVE", "%YAML stands twice. Remove one of the two");
        if (Number(handle) !== 1) throw this.#refuse("YAML_VERSION", "PyYAML reads YAML 1.x only. Write %YAML 1.1");
        hasVersion = true;
      } else if (text === "TAG") {
        const [name = "", prefix = ""] = handle.split(" ");
        if (handles.has(name)) {
          throw this.#refuse("REPEATED_DIRECTIVE", `%TAG ${name} stands twice. Remove one of the two`);
        }
        handles.set(name, prefix);
      }
      this.#scanner.take();
    }
    this.#handles = new Map([...standardHandles, ...handles]);
  }

  #node(isBlock: boolean, allowsIndentless: boolean): YamlItem {
    if (this.#is("alias")) return this.#alias();
    const { anchor, tag, last } = this.#properties();
    const token = this.#scanner.peek();
    const { start, end } = token;
    const base = tag === undefined ? { start, end } : { start, end, tag };
    const register = <Node extends YamlNode>(node: Node): Node => this.#register(anchor, node);
    switch (token.kind) {
      case "scalar":
        this.#scanner.take();
        return register({ ...base, kind: "scalar", text: token.text, style: token.style ?? "plain" });
      case "flow-sequence-start":
        return this.#inside(token, () =>
          this.#flowSequence(register({ ...base, kind: "sequence", flow: true, items: [] })),
        );
      case "flow-mapping-start":
        return this.#inside(token, () =>
          this.#flowMapping(register({ ...base, kind: "mapping", flow: true, pairs: [] })),
        );
      case "block-entry":
        if (!allowsIndentless) break;
        return this.#inside(token, () =>
          this.#indentlessSequence(register({ ...base, kind: "sequence", flow: false, items: [] })),
        );
      case "block-sequence-start":
        if (!isBlock) break;
        return this.#inside(token, () =>
          this.#blockSequence(register({ ...base, kind: "sequence", flow: false, items: [] })),
        );
      case "block-mapping-start":
        if (!isBlock) break;
        return this.#inside(token, () =>
          this.#blockMapping(register({ ...base, kind: "mapping", flow: false, pairs: [] })),
        );
      default:
    }
    if (last === undefined) throw this.#unexpected(token);
    return register({ ...this.#nothing(last.end), ...(tag === undefined ? {} : { tag }) });
  }

  /** Reads a collection one level further down. */
  #inside<Node extends YamlNode>({ start, end }: Token, collection: () => Node): Node {
    if (this.#depth === maxNesting) {
      const message = `The text nests more than ${maxNesting} levels deep and is not read`;
      throw new YamlRefusal("TOO_DEEP", message, start, end);
    }
    this.#depth++;
    const node = collection();
    this.#depth--;
    return node;
  }

  #alias(): YamlAlias {
    const { text: name, start, end } = this.#scanner.take();
    const target = this.#anchors.get(name);
    if (target !== undefined) return { kind: "alias", start, end, name, target };
    const message = `A leading * makes this an alias, and no anchor &${shownWord(name)} stands before it`;
    throw new YamlRefusal("UNRESOLVED_ALIAS", message, start, end);
  }

  /** An anchor and a tag, in either order. */
  #properties(): { readonly anchor?: Token; readonly tag?: string; readonly last?: Token } {
    let anchor: Token | undefined;
    let tag: Token | undefined;
    let last: Token | undefined;
    while ((this.#is("anchor") && anchor === undefined) || (this.#is("tag") && tag === undefined)) {
      last = this.#scanner.take();
      if (last.kind === "anchor") anchor = last;
      else tag = last;
    }
    if (last === undefined) return {};
    const name = tag === undefined ? undefined : this.#fullTag(tag);
    return { last, ...(anchor === undefined ? {} : { anchor }), ...(name === undefined ? {} : { tag: name }) };
  }

  #fullTag({ handle, text, start, end }: Token): string {
    if (handle === undefined) return text;
    const prefix = this.#handles.get(handle);
    if (prefix !== undefined) return prefix + text;
    const message = `No %TAG directive says what ${handle} stands for. Quote the text if ! was not meant as a tag`;
    throw new YamlRefusal("UNKNOWN_TAG", message, start, end);
  }

  #register<Node extends YamlNode>(anchor: Token | undefined, node: Node): Node {
    if (anchor === undefined) return node;
    if (this.#anchors.has(anchor.text)) {
      const message = `The anchor &${anchor.text} stands twice. Give each place its own name`;
      throw new YamlRefusal("REPEATED_ANCHOR", message, anchor.start, anchor.end);
    }
    this.#anchors.set(anchor.text, node);
    return node;
  }

  #blockSequence(node: YamlSequence): YamlSequence {
    this.#scanner.take();
    while (this.#is("block-entry")) {
      const entry = this.#scanner.take();
      node.items.push(this.#is("block-entry", "block-end") ? this.#nothing(entry.end) : this.#node(true, false));
    }
    this.#endBlock(node);
    return node;
  }

  /** A list whose dashes stand below the key. */
  #indentlessSequence(node: YamlSequence): YamlSequence {
    while (this.#is("block-entry")) {
      const entry = this.#scanner.take();
      const isEmpty = this.#is("block-entry", "key", "value", "block-end");
      node.items.push(isEmpty ? this.#nothing(entry.end) : this.#node(true, false));
      node.end = entry.end;
    }
    return node;
  }

  /** A colon without a key does not start a pair: PyYAML wants `?` or a text before it. */
  #blockMapping(node: YamlMapping): YamlMapping {
    this.#scanner.take();
    while (this.#is("key")) {
      node.pairs.push(this.#pair(["key", "value", "block-end"], () => this.#node(true, true)));
    }
    this.#endBlock(node);
    return node;
  }

  /** A key and, behind its colon, a value; each of them is empty where one of `enders` follows at once. */
  #pair(enders: readonly TokenKind[], node: () => YamlItem): YamlPair {
    const keyMark = this.#scanner.take();
    const key = this.#is("value", ...enders) ? this.#nothing(keyMark.end) : node();
    if (!this.#is("value")) return { key };
    const colon = this.#scanner.take();
    return { key, value: this.#is(...enders) ? this.#nothing(colon.end) : node() };
  }

  #endBlock(node: YamlNode): void {
    const token = this.#scanner.peek();
    if (token.kind !== "block-end") throw this.#unexpected(token);
    this.#scanner.take();
    node.end = token.start;
  }

  #flowSequence(node: YamlSequence): YamlSequence {
    const open = this.#scanner.take();
    this.#flowItems("flow-sequence-end", open, () => {
      if (!this.#is("key")) {
        node.items.push(this.#node(false, false));
        return;
      }
      const { start, end } = this.#scanner.peek();
      const pair = this.#pair(["flow-entry", "flow-sequence-end"], () => this.#node(false, false));
      node.items.push({ kind: "mapping", start, end, flow: true, pairs: [pair] });
    });
    node.end = this.#scanner.take().end;
    return node;
  }

  #flowMapping(node: YamlMapping): YamlMapping {
    const open = this.#scanner.take();
    this.#flowItems("flow-mapping-end", open, () => {
      const isKey = this.#is("key");
      const pair = isKey
        ? this.#pair(["flow-entry", "flow-mapping-end"], () => this.#node(false, false))
        : { key: this.#node(false, false) };
      node.pairs.push(pair);
    });
    node.end = this.#scanner.take().end;
    return node;
  }

  /** Items with commas between them, a comma behind the last if it is there; stops before `close`. */
  #flowItems(close: TokenKind, open: Token, item: () => void): void {
    for (let isFirst = true; !this.#is(close); isFirst = false) {
      if (!isFirst) {
        if (!this.#is("flow-entry")) throw this.#notSeparated(open);
        this.#scanner.take();
        if (this.#is(close)) return;
      }
      item();
    }
  }

  #notSeparated(open: Token): Error {
    if (!this.#is("stream-end")) {
      const message =
        "A comma or the closing bracket is missing before this. Texts with brackets or braces need quotes";
      return this.#refuse("MISSING_COMMA", message);
    }
    return new YamlRefusal("MISSING_BRACKET", "The bracket that opens here is never closed", open.start, open.end);
  }

  /** An empty value, behind the blanks that follow its mark. */
  #nothing(markEnd: number): YamlScalar {
    let at = markEnd;
    while (this.text[at] === " " || this.text[at] === "\t") at++;
    return { kind: "scalar", start: at, end: at, text: "", style: "plain" };
  }

  #is(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.#scanner.peek().kind);
  }

  #unexpected(token: Token): Error {
    const message =
      "This does not belong to the block above: the indentation fits no level, or a bracket or quote is missing";
    return this.#refuse("UNEXPECTED_TOKEN", message, token.start);
  }

  #refuse(code: string, message: string, at = this.#scanner.peek().start): Error {
    return new Cursor(this.text).refuse(code, message, at);
  }
}
