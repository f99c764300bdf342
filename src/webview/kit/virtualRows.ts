import { element } from "./element.js";
import { RowSpace } from "./rowSpace.js";

export interface VirtualRowsOptions {
  readonly rowPx: number;
  /** Height of what stays above the rows inside the scroller. */
  readonly headPx?: number;
  /** Of the element that holds the rows. */
  readonly role: string;
  /** Other rows are in sight: those of `wanted` are to be shown. */
  onMove(): void;
}

/** A long list inside a scroller, of which only the rows in sight exist. Whoever owns it makes the rows and knows which is chosen. */
export class VirtualRows {
  private readonly rows: HTMLElement;
  private readonly body: HTMLElement;
  private readonly space: RowSpace;

  constructor(
    private readonly scroller: HTMLElement,
    { rowPx, headPx = 0, role, onMove }: VirtualRowsOptions,
  ) {
    this.space = new RowSpace(rowPx, headPx);
    this.rows = element("div", { class: "virtual-rows", role });
    this.body = element("div", { class: "virtual-body", role: "none" }, this.rows);
    scroller.append(this.body);
    scroller.addEventListener("scroll", onMove);
    new ResizeObserver(onMove).observe(scroller);
  }

  get total(): number {
    return this.space.total;
  }

  /** How many rows there are, in sight or not. */
  set total(total: number) {
    this.space.total = total;
    this.body.style.height = `${this.space.heightPx}px`;
  }

  get wanted(): { readonly first: number; readonly count: number } {
    return this.space.wanted(this.scroller);
  }

  /** Puts rows in the place of those that are there; `first` is the position of the first. */
  show(first: number, rows: readonly HTMLElement[]): void {
    this.rows.style.transform = `translateY(${this.space.topOf(first)}px)`;
    this.rows.replaceChildren(...rows);
  }

  /** Scrolls until a row is in sight. */
  reveal(position: number, place: "nearest" | "middle" = "nearest"): void {
    const { scroller } = this;
    const top = this.space.revealing(position, scroller, place);
    if (top !== scroller.scrollTop) scroller.scrollTop = top;
  }

  toStart(): void {
    this.scroller.scrollTop = 0;
  }

  /** The position that a key leads to; `undefined` for keys that do not move. */
  after(key: string, from: number | null): number | undefined {
    return this.space.after(key, from, this.scroller);
  }
}
