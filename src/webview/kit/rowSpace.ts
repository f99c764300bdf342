/** Rows beyond both edges that exist, so that short scrolling finds them. */
const SPARE_ROWS = 10;
/** Browsers stop at some 30 million pixels; beyond this the scroll bar stands for a share, not for pixels. */
const MAX_SCROLL_PX = 12_000_000;

/** What is seen of a scrolled box, in pixels. */
export interface Sight {
  readonly scrollTop: number;
  readonly clientHeight: number;
}

/** Where the rows of a long list stand. All are equally high; a head of `headPx` stays in sight above them. */
export class RowSpace {
  total = 0;

  constructor(
    readonly rowPx: number,
    private readonly headPx = 0,
  ) {}

  /** Height of all rows, as the scroll bar sees it. */
  get heightPx(): number {
    return Math.min(MAX_SCROLL_PX, this.total * this.rowPx);
  }

  topOf(position: number): number {
    return position * this.#pxPerRow;
  }

  /** The rows that have to exist. */
  wanted({ scrollTop, clientHeight }: Sight): { readonly first: number; readonly count: number } {
    const first = Math.max(0, Math.floor(scrollTop / this.#pxPerRow) - SPARE_ROWS);
    return { first, count: Math.ceil((clientHeight - this.headPx) / this.rowPx) + 2 * SPARE_ROWS };
  }

  /** The `scrollTop` at which a row is in sight: the present one if it is, else the nearest, or that with the row in the middle. */
  revealing(position: number, sight: Sight, place: "nearest" | "middle"): number {
    const rows = this.#rowsIn(sight);
    const first = sight.scrollTop / this.#pxPerRow;
    // A row that is cut by an edge is not in sight; a hair of it may be, where the scroll bar rounds.
    if (position >= first - 1e-3 && position + 1 <= first + rows + 1e-3) return sight.scrollTop;
    if (place === "middle") return Math.max(0, this.topOf(position - Math.floor(rows / 2)));
    return position < first ? this.topOf(position) : Math.max(0, this.topOf(position + 1 - rows));
  }

  /** The row that a key leads to from a row, or from none (`null`); `undefined` for keys that do not move, and in an empty list. */
  after(key: string, from: number | null, sight: Sight): number | undefined {
    const page = Math.max(1, Math.floor(this.#rowsIn(sight)) - 1);
    return movedBy(key, from, this.total, page);
  }

  #rowsIn({ clientHeight }: Sight): number {
    return Math.max(1, (clientHeight - this.headPx) / this.rowPx);
  }

  /** Pixels of scrolling per row: the row's height unless the list is too long for that. */
  get #pxPerRow(): number {
    return this.total === 0 ? this.rowPx : this.heightPx / this.total;
  }
}

/** The place that a key leads to in a list of `total`, `page` at once for the page keys; `from` is `null` where no row is chosen. */
export function movedBy(key: string, from: number | null, total: number, page: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -Infinity,
    End: Infinity,
  };
  const step = steps[key];
  if (step === undefined || total === 0) return undefined;
  const start = from ?? (step > 0 ? -1 : total);
  return Math.min(total - 1, Math.max(0, start + step));
}
