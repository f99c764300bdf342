import type { ExpandedWord, WordFacts } from "./scope.js";
import type { Piece } from "./tracedText.js";

const BLANK_RUN = /[ \t\n]+/;

type Use = NonNullable<WordFacts["splitFrom"]>;

/** Collects pieces into words; a word exists as soon as it has a piece or was opened by quotes. */
export class WordBuilder {
  assumesDefault = false;
  private readonly done: ExpandedWord[] = [];
  private pieces: Piece[] | undefined;
  private splitFrom: Use | undefined;
  private taken: ExpandedWord | undefined;
  private hasEmptyList = false;

  constructor(
    private readonly span: WordFacts["span"],
    private readonly braces: WordFacts["span"] | undefined,
  ) {}

  add(piece: Piece): void {
    // The quotes of `"${A[@]}"` are not those of the element.
    if (this.taken !== undefined && piece.kind === "quote") return;
    this.taken = undefined;
    this.pieces ??= [];
    this.pieces.push(piece);
  }

  /** The word exists even if it stays empty. */
  open(): void {
    this.pieces ??= [];
  }

  /** `"${A[@]}"` of an empty array: quotes alone then make no word. */
  addEmptyList(): void {
    this.hasEmptyList = true;
  }

  /** A whole element of an array; alone in its word it keeps what is known about it. */
  addWhole(pieces: readonly Piece[], word: ExpandedWord): void {
    const alone = this.pieces === undefined || this.pieces.every((piece) => piece.kind === "quote");
    if (word.assumesDefault) this.assumesDefault = true;
    if (alone) this.pieces = [];
    for (const piece of pieces) this.add(piece);
    this.open();
    this.taken = alone ? word : undefined;
  }

  /** Text that is split at blanks; `use` says which variable it came from. */
  addSplit(pieces: readonly Piece[], use: Use | undefined): void {
    const isMany = pieces.some((piece) => piece.kind === "text" && BLANK_RUN.test(piece.text));
    if (isMany && this.pieces !== undefined) this.splitFrom = use;
    for (const piece of pieces) {
      if (piece.kind === "text") this.addSplitText(piece, isMany ? use : undefined);
      else if (piece.kind !== "quote" || this.pieces !== undefined) this.add(piece);
    }
  }

  private addSplitText(piece: Piece & { kind: "text" }, use: Use | undefined): void {
    const exact = piece.end - piece.start === piece.text.length;
    let at = 0;
    for (const part of piece.text.split(/([ \t\n]+)/)) {
      if (BLANK_RUN.test(part)) this.end();
      else if (part !== "") {
        const place = exact ? { start: piece.start + at, end: piece.start + at + part.length } : {};
        this.add({ ...piece, text: part, ...place });
        this.splitFrom ??= use;
      }
      at += part.length;
    }
  }

  end(): void {
    const isNothing = this.hasEmptyList && this.pieces?.every((piece) => piece.kind === "quote");
    if (this.pieces !== undefined && !isNothing) this.done.push(this.finishWord(this.pieces));
    this.pieces = undefined;
    this.hasEmptyList = false;
    this.splitFrom = undefined;
    this.taken = undefined;
  }

  private finishWord(pieces: readonly Piece[]): ExpandedWord {
    const inherited = this.taken;
    const splitFrom = inherited?.splitFrom ?? this.splitFrom;
    const braces = inherited?.braces ?? this.braces;
    const alternative = inherited?.alternative;
    return {
      pieces,
      span: inherited?.span ?? this.whereWritten(pieces),
      assumesDefault: this.assumesDefault,
      ...(splitFrom && { splitFrom }),
      ...(braces && { braces }),
      ...(alternative !== undefined && { alternative }),
    };
  }

  /** A word out of a variable stands in the text of the variable, not where the variable is used. */
  private whereWritten(pieces: readonly Piece[]): WordFacts["span"] {
    const first = pieces.find((piece) => piece.kind !== "quote");
    const last = pieces.at(-1);
    if (first === undefined || last === undefined) return this.span;
    const outside = first.start < this.span.start || first.start >= this.span.end;
    return outside && last.end >= first.start ? { start: first.start, end: last.end } : this.span;
  }

  finish(): ExpandedWord[] {
    this.end();
    return this.done;
  }
}
