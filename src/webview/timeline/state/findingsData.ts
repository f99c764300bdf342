import type { Answers } from "../../../core/timeline/query/protocol.js";
import type { Connection } from "../connection.js";
import type { Bounds } from "../draw/overlay.js";
import type { ViewModel } from "./viewModel.js";

/** More red arrows than this hide what they point at; the list still has all findings. */
const MOST_ARROWS = 40;

/** Findings of the run in front, asked for once per run. */
export class FindingsData {
  private readonly byRun = new Map<number, Answers["findings"] | "asked" | "failed">();
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly model: ViewModel,
    private readonly connection: Connection,
  ) {
    model.listen((change) => {
      if (change === "run") this.require();
      if (change === "finding") this.tell();
    });
    this.require();
  }

  listen(listener: () => void): void {
    this.listeners.add(listener);
  }

  /** null while the answer is on its way. */
  get current(): Answers["findings"] | null {
    const known = this.byRun.get(this.model.run);
    return typeof known === "object" ? known : null;
  }

  /** Violated orders of the run in front, of all findings or of the one that is pointed at; on its own clock. */
  arrows(): readonly { readonly from: Bounds; readonly to: Bounds }[] {
    const { current } = this;
    if (current === null) return [];
    const { finding: only } = this.model;
    return current.findings
      .flatMap((finding, at) => {
        const { arrow } = finding;
        if (arrow === null || (only !== null && only !== at)) return [];
        const links = current.links[at] ?? [];
        const from = links.find((link) => link.event === arrow.from);
        const to = links.find((link) => link.event === arrow.to);
        return from === undefined || to === undefined ? [] : [{ from, to }];
      })
      .slice(0, MOST_ARROWS);
  }

  private require(): void {
    const { run, timeline } = this.model;
    if (timeline === null || this.byRun.has(run)) {
      this.tell();
      return;
    }
    this.byRun.set(run, "asked");
    void this.connection.ask({ kind: "findings", run }).then((outcome) => {
      this.byRun.set(run, outcome.ok ? outcome.value : "failed");
      this.tell();
    });
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}
