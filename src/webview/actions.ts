import type { LaneRole } from "../core/timeline/columns.js";
import type { EventDetails, TimelineCommand } from "../core/timeline/protocol.js";
import type { Connection } from "./connection.js";
import type { TimelineView } from "./timelineView.js";
import type { ViewModel } from "./viewModel.js";

const ZOOM_STEP = 0.7;
const PAN_STEP = 0.2;
const LANE_ORDER: readonly LaneRole[] = ["compute", "d2h", "h2d", "d2d", "collective", "host"];

/** What keys, buttons and commands do; one method per action, so that all three agree. */
export class Actions {
  constructor(
    private readonly model: ViewModel,
    private readonly view: TimelineView,
    private readonly connection: Connection,
    private readonly toggleHelp: (open?: boolean) => void,
  ) {}

  run(command: TimelineCommand): void {
    const { model, view } = this;
    const does: Record<TimelineCommand, () => void> = {
      zoomIn: () => view.zoom(ZOOM_STEP),
      zoomOut: () => view.zoom(1 / ZOOM_STEP),
      panLeft: () => view.pan(-PAN_STEP),
      panRight: () => view.pan(PAN_STEP),
      fit: () => view.fit(model.selected),
      fitAll: () => view.fitAll(),
      nextEvent: () => void this.step(1),
      previousEvent: () => void this.step(-1),
      laneAbove: () => void this.changeLane(-1),
      laneBelow: () => void this.changeLane(1),
      showDetails: () => model.showTab("details"),
      showEvents: () => model.showTab("events"),
      toggleSummary: () => model.toggleSummary(),
      clearSelection: () => model.select(null),
      help: () => this.toggleHelp(),
    };
    does[command]();
  }

  /** Selects an event by its number and shows it. */
  async go(event: number): Promise<void> {
    const outcome = await this.connection.ask({ kind: "event", run: this.model.run, event });
    if (outcome.ok) this.choose(outcome.value);
  }

  private async step(step: 1 | -1): Promise<void> {
    const { selected, run } = this.model;
    if (selected === null) return this.chooseFirst();
    const outcome = await this.connection.ask({ kind: "neighbour", run, event: selected.event, step });
    if (outcome.ok && outcome.value.event !== null) this.choose(outcome.value.event);
  }

  /** With nothing selected: the first event in view of the first lane that has any. */
  private async chooseFirst(): Promise<void> {
    const { range } = this.model;
    const row = this.rowsInOrder()[0];
    if (row === undefined) return;
    await this.chooseNearest(row, range.fromNs);
  }

  /** The event of the next lane (by `step`) that is nearest in time. */
  private async changeLane(step: 1 | -1): Promise<void> {
    const { selected } = this.model;
    if (selected === null) return this.chooseFirst();
    const rows = this.rowsInOrder();
    const next = rows[rows.indexOf(selected.row) + step];
    if (next !== undefined) await this.chooseNearest(next, selected.startNs + selected.durationNs / 2);
  }

  private async chooseNearest(row: number, timeNs: number): Promise<void> {
    const outcome = await this.connection.ask({ kind: "nearest", run: this.model.run, row, timeNs });
    if (outcome.ok && outcome.value.event !== null) this.choose(outcome.value.event);
  }

  private choose(event: EventDetails): void {
    this.model.select(event);
    this.view.reveal(event);
  }

  private rowsInOrder(): number[] {
    const rows = this.model.timeline?.rows ?? [];
    const rank = (row: number) => LANE_ORDER.indexOf(rows[row]?.role ?? "host");
    return rows.map((_, at) => at).sort((a, b) => rank(a) - rank(b) || a - b);
  }
}
