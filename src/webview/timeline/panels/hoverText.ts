import { PART_TITLES } from "../../../core/base/memoryParts.js";
import { counted, formatBytes, formatNs, formatRate, formatShare, grouped } from "../../../core/base/quantities.js";
import { laneTraits } from "../../../core/timeline/columns/laneWork.js";
import { NOT_RECORDED, sizeText } from "../../../core/timeline/metrics/copySizes.js";
import { type MemorySlices, sliceAt } from "../../../core/timeline/query/memorySlices.js";
import type { EventDetails } from "../../../core/timeline/query/protocol.js";
import { KeepLatest } from "../../kit/keepLatest.js";
import type { Tooltip, TooltipLine } from "../../kit/tooltip.js";
import type { Connection } from "../connection.js";
import { lanesAlike, laneTitle, streamName } from "../draw/lanes.js";
import type { LaneStripe } from "../geometry.js";
import type { Hit } from "../hit.js";
import { deviceMetrics } from "../state/deviceMetrics.js";
import { MEMORY_NAMES, MEMORY_TEXTS } from "../state/memoryNames.js";
import type { ViewModel } from "../state/viewModel.js";
import { meaningOf } from "../theme.js";

/** What the box beside the pointer says of a lane, a curve or an event. */
export class HoverText {
  private readonly hovers = new KeepLatest();
  private hovered = "";
  private shown: EventDetails | null = null;

  constructor(
    private readonly model: ViewModel,
    private readonly connection: Connection,
    private readonly tooltip: Tooltip,
  ) {}

  show(hit: Hit, x: number, y: number): void {
    if (hit.kind === "box" && hit.slices.count[hit.at] === 1) {
      this.hoverEvent(hit.lane.run, hit.slices.event[hit.at] ?? 0, x, y);
      return;
    }
    this.hovered = "";
    if (hit.kind === "box") this.explainMerged(hit, x, y);
    else if (hit.kind === "exposed") this.explainExposed(hit.lane, x, y);
    else if (hit.kind === "label") this.explainLane(hit.lane, x, y);
    else if (hit.kind === "memory") this.explainMemory(hit, x, y);
    else this.tooltip.hide();
  }

  hide(): void {
    this.hovered = "";
    this.tooltip.hide();
  }

  private explainMerged({ slices, at }: Hit & { kind: "box" }, x: number, y: number): void {
    const lines: TooltipLine[] = [
      ["covered", formatShare(slices.coverage[at] ?? 0)],
      ["spans", formatNs((slices.endNs[at] ?? 0) - (slices.startNs[at] ?? 0))],
      "Zoom in to tell them apart.",
    ];
    this.tooltip.show(counted(slices.count[at] ?? 1, "event"), lines, x, y);
  }

  private hoverEvent(run: number, event: number, x: number, y: number): void {
    const key = `${run} ${event}`;
    const isNew = key !== this.hovered;
    this.hovered = key;
    if (!isNew && this.shown?.event === event) {
      this.showEvent(this.shown, x, y);
      return;
    }
    this.hovers.run(async () => {
      const outcome = await this.connection.ask({ kind: "event", run, event });
      if (!outcome.ok || this.hovered !== key) return;
      this.shown = outcome.value;
      this.showEvent(outcome.value, x, y);
    });
  }

  private showEvent(event: EventDetails, x: number, y: number): void {
    const lines: TooltipLine[] = [
      ["what", meaningOf(event.kind)],
      ["start", formatNs(event.startNs)],
      ["duration", formatNs(event.durationNs)],
    ];
    if (event.layer >= 0) lines.push(["layer", String(event.layer)]);
    if (event.bytes === null) lines.push(["bytes", NOT_RECORDED]);
    else if (event.bytes > 0) lines.push(["bytes", formatBytes(event.bytes)]);
    const rate = formatRate(event.bytes ?? 0, event.durationNs);
    if (rate !== "" && event.hiddenNs !== null) lines.push(["rate", rate]);
    if (event.hiddenNs !== null) lines.push(["exposed", formatNs(event.durationNs - event.hiddenNs)]);
    if (event.waitedFor !== null) lines.push(["waited for", event.waitedFor.name]);
    this.tooltip.show(event.name, lines, x, y);
  }

  private explainExposed(lane: LaneStripe, x: number, y: number): void {
    const overview = this.model.profile.timelines[lane.run] ?? null;
    if (overview === null) return;
    const exposure = overview.laneExposure[lane.lane] ?? null;
    const isOneOfSeveral = lanesAlike(lane, { overview }) > 1;
    const of = isOneOfSeveral ? ` on ${streamName(lane)}` : "";
    const lines: TooltipLine[] = [
      ["exposed", formatNs(exposure?.exposedNs ?? 0)],
      "Red where a copy of this lane runs and no compute beside it: time that the step pays for.",
    ];
    if (isOneOfSeveral)
      lines.push("Where copies of several streams are exposed at once, the sum of the role counts the time once.");
    this.tooltip.show(`${laneTitle(lane, { overview })}${of}: exposed time`, lines, x, y);
  }

  private explainLane(lane: LaneStripe, x: number, y: number): void {
    const { role, stream } = lane;
    const overview = this.model.profile.timelines[lane.run] ?? null;
    if (overview === null) return;
    const metrics = deviceMetrics(overview, lane.device);
    const name = laneTitle(lane, { overview });
    const alike = lanesAlike(lane, { overview });
    // What follows is measured by role: of several streams it belongs to none alone.
    const { counts, about } = laneTraits(role);
    const isSum = alike > 1 && counts !== "nothing";
    const meant: TooltipLine[] = about === null ? [] : [about];
    const title = isSum ? `${name}, all ${alike} streams` : stream === "" ? name : `${name} · ${stream}`;
    if (role === "compute") {
      const lines: TooltipLine[] = [
        ["busy", formatNs(metrics.computeBusyNs)],
        ["waiting for copies", formatNs(metrics.computeWaitNs)],
        ...meant,
      ];
      this.tooltip.show(title, lines, x, y);
    } else if (role === "annotation") {
      this.tooltip.show(title, meant, x, y);
    } else if (role === "host") {
      this.tooltip.show(title, [["waiting for the device", formatNs(metrics.hostWaitNs)]], x, y);
    } else if (role === "d2d") {
      const lines: TooltipLine[] = [["count", grouped(metrics.counts.dtod)], ...meant];
      this.tooltip.show(title, lines, x, y);
    } else {
      const covered = metrics[role];
      const lines: TooltipLine[] = [
        ["count", grouped(covered.count)],
        ["bytes", sizeText(covered)],
        ["busy", formatNs(covered.busyNs)],
        ["hidden", formatNs(covered.hiddenNs)],
        ["exposed", formatNs(covered.exposedNs)],
        ...meant,
      ];
      this.tooltip.show(title, lines, x, y);
    }
  }

  private explainMemory({ memory, slices, ownNs }: Hit & { kind: "memory" }, x: number, y: number): void {
    const curve = this.model.profile.timelines[memory.run]?.memory[memory.curve];
    if (curve === undefined) return;
    const lines: TooltipLine[] = [
      ["peak", formatBytes(curve.peakBytes)],
      ["reached at", formatNs(curve.peakAtNs)],
      ...partLines(slices, ownNs),
      MEMORY_TEXTS[curve.of],
    ];
    this.tooltip.show(MEMORY_NAMES[curve.of], lines, x, y);
  }
}

/** What the bytes under the pointer are for, top of the stack first. */
function partLines(slices: MemorySlices | null, timeNs: number): readonly TooltipLine[] {
  const at = slices === null ? -1 : sliceAt(slices.timeNs, timeNs);
  return (slices?.parts ?? [])
    .map(({ what, highBytes }): [string, number] => [PART_TITLES[what], highBytes[at] ?? 0])
    .filter(([, bytes]) => bytes > 0)
    .reverse()
    .map(([title, bytes]) => [title, formatBytes(bytes)]);
}
