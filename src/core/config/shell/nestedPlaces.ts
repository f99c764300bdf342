import type { TextSpan } from "../document/diagnostic.js";
import { withSpansMoved } from "./lineReturns.js";
import { parseShell } from "./parseShell.js";
import type { Node } from "./syntax.js";
import type { TracedText } from "./tracedText.js";

interface NestedText {
  readonly base: number;
  readonly places: Pick<TracedText, "starts" | "ends">;
}

/**
 * Texts that a script hands to the shell again (`eval`, `trap`). Each gets offsets of its own behind those of the script, so that what
 * is read there can stand beside the rest; at the end they become the places where the characters are written.
 */
export class NestedPlaces {
  readonly #texts: NestedText[] = [];
  #end: number;

  /** `length` is that of the script. */
  constructor(private readonly length: number) {
    this.#end = length;
  }

  /** The commands of a nested text. `traced` has places of the script itself. */
  parse(traced: TracedText): readonly Node[] {
    const base = this.#end + 1;
    this.#end = base + traced.text.length;
    this.#texts.push({ base, places: traced });
    return withSpansMoved(parseShell(traced.text), ({ start, end }) => ({ start: start + base, end: end + base }));
  }

  /** True for an offset into a nested text. */
  isNested(offset: number): boolean {
    return offset > this.length;
  }

  /** The same stretch in the script; of a text that was put together from several places, where its first character stands. */
  spanOf({ start, end }: TextSpan): TextSpan {
    const from = this.startOf(start);
    const to = this.endOf(end);
    return { start: from, end: to >= from ? to : Math.max(from, this.endOf(start + 1)) };
  }

  startOf(offset: number): number {
    const nested = this.#textAt(offset);
    if (nested === undefined) return offset;
    const { starts, ends } = nested.places;
    return starts[offset - nested.base] ?? ends.at(-1) ?? 0;
  }

  endOf(offset: number): number {
    const nested = this.#textAt(offset);
    if (nested === undefined) return offset;
    const { starts, ends } = nested.places;
    return ends[offset - nested.base - 1] ?? starts[0] ?? 0;
  }

  /** The last text that begins at the offset or before it; they are sorted, and a script may have tens of thousands. */
  #textAt(offset: number): NestedText | undefined {
    if (!this.isNested(offset)) return undefined;
    let low = 0;
    let high = this.#texts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#texts[middle]?.base ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return this.#texts[low - 1];
  }
}
