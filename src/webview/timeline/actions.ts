import { moveKey, setFolded, togglePinned } from "../../core/timeline/columns/laneOrder.js";
import type { EventDetails, TimelineCommand } from "../../core/timeline/query/protocol.js";
import type { VisibleRange } from "../../core/timeline/query/visibleRange.js";
import type { Connection } from "./connection.js";
import type { LaneStripe } from "./geometry.js";
import type { Exports } from "./panels/exports.js";
import type { FindingsData } from "./state/findingsData.js";
import type { ViewModel } from "./state/viewModel.js";
import type { TimelineView } from "./timelineView.js";

const ZOOM_STEP = 0.7;
const PAN_STEP = 0.2;

/** Parts of the page that actions reach beyond the model. */
export interface ActionTargets {
  toggleHelp(): void;
  /** Puts the cursor into the field of the search. */
  focusSearch(): void;
  announce(text: string): void;
}

/** What keys, buttons and commands do; one method per action, so that all three agree. */
export class Actions {
  /** The mark that was gone to last, and what was visible then: near an end it does not lie in the middle. */
  private visited: { readonly markNs: number; readonly range: VisibleRange } | null = null;

  constructor(
    private readonly model: ViewModel,
    private readonly view: TimelineView,
    private readonly connection: Connection,
    private readonly findings: FindingsData,
    private readonly exports: Exports,
    private readonly targets: ActionTargets,
  ) {}

  run(command: TimelineCommand): void {
    const { model, view, exports } = this;
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
      showMetrics: () => model.showTab("metrics"),
      showCompare: () => this.showTab("compare"),
      showReport: () => this.showTab("report"),
      toggleSummary: () => model.toggleSummary(),
      toggleFindings: () => model.toggleSide(),
      nextFinding: () => this.stepFinding(1),
      previousFinding: () => this.stepFinding(-1),
      sideBySide: () => model.toggleStacked(),
      clearSelection: () => {
        model.selectArea(null);
        model.select(null);
      },
      search: () => this.targets.focusSearch(),
      nextMatch: () => void this.match(1),
      previousMatch: () => void this.match(-1),
      selectTime: () => this.selectTime(),
      mark: () => this.mark(),
      nextMark: () => this.goToMark(1),
      previousMark: () => this.goToMark(-1),
      clearMarks: () => model.clearMarks(),
      pinLane: () => this.onLane((lane) => model.arrange(togglePinned(model.arrangement, lane.key))),
      foldLane: () => this.onLane((lane) => model.arrange(setFolded(model.arrangement, lane.key, !lane.isFolded))),
      moveLaneUp: () => this.moveLane(-1),
      moveLaneDown: () => this.moveLane(1),
      copy: () => void exports.copy(),
      savePicture: () => void exports.savePicture(),
      exportCsv: () => exports.request({ format: "csv", run: model.run, filter: model.activeFilter, sort: model.sort }),
      exportChrome: () => exports.request({ format: "chrome", run: model.run }),
      exportProfile: () => this.exportProfile(),
      addFile: () => this.connection.tell({ type: "addFile" }),
      help: () => this.targets.toggleHelp(),
    };
    does[command]();
  }

  /** Selects an event by its number and shows it. */
  async go(event: number): Promise<void> {
    const outcome = await this.connection.ask({ kind: "event", run: this.model.run, event });
    if (outcome.ok) this.choose(outcome.value);
  }

  /** Selects what was selected before the page was reloaded, where the file still has it. */
  async restoreSelection(): Promise<void> {
    const { model } = this;
    const { keptSelection: kept, run } = model;
    if (kept === null) return;
    const outcome = await this.connection.ask({ kind: "event", run, event: kept.event });
    if (model.keptSelection !== kept) return;
    model.select(outcome.ok && outcome.value.startNs === kept.startNs ? outcome.value : null);
  }

  /** Selects the next (or previous) event that the table's filter lets through. */
  async match(step: 1 | -1): Promise<void> {
    const { run, activeFilter: filter, selected } = this.model;
    const fromEvent = selected?.event ?? null;
    const outcome = await this.connection.ask({ kind: "search", run, filter, fromEvent, step });
    if (!outcome.ok) return;
    const { event, position, total } = outcome.value;
    if (event === null) this.targets.announce("No event matches.");
    else {
      this.choose(event);
      this.targets.announce(`Match ${position + 1} of ${total}: ${event.name.slice(0, 200)}.`);
    }
  }

  /** Points at a finding and shows its first event. */
  async showFinding(at: number): Promise<void> {
    const found = this.findings.current?.findings[at];
    if (found === undefined) return;
    const first = found.events[0];
    if (first !== undefined) await this.go(first.event);
    this.model.pointAtFinding(at);
    this.targets.announce(`${found.severity}: ${found.message}`);
  }

  private exportProfile(): void {
    if (this.model.profile.kind === "trace") this.exports.request({ format: "offload" });
    else this.targets.announce("This file is one already.");
  }

  private showTab(tab: "compare" | "report"): void {
    if (this.model.tabs.includes(tab)) this.model.showTab(tab);
    else this.targets.announce(tab === "compare" ? "There is only one run." : "Only traces have an import report.");
  }

  private async step(step: 1 | -1): Promise<void> {
    const { selected, run } = this.model;
    if (selected === null) return this.chooseFirst();
    const outcome = await this.connection.ask({ kind: "neighbour", run, event: selected.event, step });
    if (outcome.ok && outcome.value.event !== null) this.choose(outcome.value.event);
    else this.targets.announce(step > 0 ? "Last event of the lane." : "First event of the lane.");
  }

  /** With nothing selected: the first event in view of the first lane that has any. */
  private async chooseFirst(): Promise<void> {
    const row = this.rowsInOrder()[0];
    if (row !== undefined) await this.chooseNearest(row, this.model.range.fromNs);
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

  /** The stretch of time of the selected event, else of what is visible. */
  private selectTime(): void {
    const { selected, range } = this.model;
    if (selected === null) this.model.selectArea({ fromNs: Math.round(range.fromNs), toNs: Math.round(range.toNs) });
    else this.model.selectArea({ fromNs: selected.startNs, toNs: selected.startNs + Math.max(1, selected.durationNs) });
  }

  private mark(): void {
    const { selected, range } = this.model;
    const ns = this.view.hoverNs ?? selected?.startNs ?? (range.fromNs + range.toNs) / 2;
    this.model.mark(Math.round(ns));
    this.targets.announce(`Mark ${this.model.marks.indexOf(Math.round(ns)) + 1} of ${this.model.marks.length} set.`);
  }

  /** Moves the picture so that the next mark lies in its middle, as far as the ends of the timeline allow. */
  private goToMark(step: 1 | -1): void {
    const { marks, range } = this.model;
    const middle = (range.fromNs + range.toNs) / 2;
    const from = this.visited?.range === range ? this.visited.markNs : middle;
    const nearNs = (range.toNs - range.fromNs) / 1e4;
    const ahead = marks.filter((ns) => (ns - from) * step > nearNs);
    const target = step > 0 ? ahead[0] : ahead.at(-1);
    if (target === undefined) {
      this.targets.announce("No mark on that side.");
      return;
    }
    this.view.pan((target - middle) / (range.toNs - range.fromNs));
    this.visited = { markNs: target, range: this.model.range };
    this.targets.announce(`Mark ${marks.indexOf(target) + 1} of ${marks.length}.`);
  }

  private stepFinding(step: 1 | -1): void {
    const total = this.findings.current?.findings.length ?? 0;
    if (total === 0) {
      this.targets.announce("There are no findings.");
      return;
    }
    if (!this.model.isSideOpen) this.model.toggleSide();
    const { finding } = this.model;
    const next = finding === null ? (step > 0 ? 0 : total - 1) : (finding + step + total) % total;
    void this.showFinding(next);
  }

  private moveLane(by: 1 | -1): void {
    this.onLane((lane) => {
      const { model, view } = this;
      const keys = (view.geometry?.lanes ?? []).filter((other) => other.run === lane.run).map((other) => other.key);
      model.arrange(moveKey(keys, model.arrangement, lane.key, by));
    });
  }

  /** The lane with the focus, else that of the selected event, else the first. */
  private onLane(does: (lane: LaneStripe) => void): void {
    const lanes = this.view.geometry?.lanes.filter((lane) => lane.run === this.model.run) ?? [];
    const focused = document.activeElement?.closest<HTMLElement>("[data-lane]")?.dataset.lane;
    const { selected } = this.model;
    const lane =
      lanes.find((candidate) => candidate.key === focused) ??
      lanes.find((candidate) => selected !== null && candidate.rows.some((row) => row.row === selected.row)) ??
      lanes[0];
    if (lane !== undefined) does(lane);
  }

  private rowsInOrder(): number[] {
    const lanes = this.view.geometry?.lanes.filter((lane) => lane.run === this.model.run) ?? [];
    return lanes.flatMap((lane) => lane.rows.map((row) => row.row));
  }
}
