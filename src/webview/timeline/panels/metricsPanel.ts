import {
  counted,
  formatBytes,
  formatExactBytes,
  formatNs,
  formatShare,
  grouped,
} from "../../../core/base/quantities.js";
import type { BandwidthSpread, LayerCost, TimelineAnalysis } from "../../../core/timeline/metrics/analysisTypes.js";
import { NOT_RECORDED, sizeText } from "../../../core/timeline/metrics/copySizes.js";
import { FORMULAS } from "../../../core/timeline/metrics/formulas.js";
import type { CoveredMetrics, TimelineMetrics } from "../../../core/timeline/metrics/metrics.js";
import { type DataColumn, dataTable } from "../../kit/dataTable.js";
import { element } from "../../kit/element.js";
import { KeepLatest } from "../../kit/keepLatest.js";
import type { Connection } from "../connection.js";
import type { ViewModel } from "../state/viewModel.js";
import { MetricsChoice } from "./metricsChoice.js";

/** Sums of the selected time, else of the whole timeline: in total, per role, per layer, and why the device was idle. */
export class MetricsPanel {
  readonly root = element("div", { class: "metrics", tabindex: 0 });
  private readonly choice: MetricsChoice;
  private readonly result = element("div", { class: "metrics-result" });
  private readonly asked = new KeepLatest();
  private readonly analyses = new Map<string, TimelineAnalysis>();

  constructor(
    private readonly model: ViewModel,
    private readonly connection: Connection,
  ) {
    this.choice = new MetricsChoice(model, () => this.refresh());
    this.root.append(this.choice.root, this.result);
    model.listen((change) => {
      if (change === "run" || change === "area" || change === "tab") this.refresh();
    });
    this.refresh();
  }

  private refresh(): void {
    if (this.model.tab === "metrics") this.asked.run(() => this.load());
  }

  private async load(): Promise<void> {
    const { run, area, timeline } = this.model;
    const { device, span } = this.choice;
    if (timeline === null) return this.result.replaceChildren();
    const analysis = area === null ? await this.whole(run, device) : await this.part(run, device, area);
    if (analysis === null || run !== this.model.run) return;
    const title = area === null ? "Everything" : (span?.label ?? timeTitle(area));
    this.result.replaceChildren(...render(device === null ? title : `${title}, GPU ${device}`, analysis));
  }

  private async whole(run: number, device: number | null): Promise<TimelineAnalysis | null> {
    const key = `${run}/${device}`;
    const known = this.analyses.get(key);
    if (known !== undefined) return known;
    const outcome = await this.connection.ask({ kind: "analysis", run, ...asked(device) });
    if (!outcome.ok) return null;
    this.analyses.set(key, outcome.value);
    return outcome.value;
  }

  private async part(
    run: number,
    device: number | null,
    area: { readonly fromNs: number; readonly toNs: number },
  ): Promise<TimelineAnalysis | null> {
    const outcome = await this.connection.ask({ kind: "sum", run, ...area, ...asked(device) });
    return outcome.ok ? outcome.value : null;
  }
}

function timeTitle({ fromNs, toNs }: { readonly fromNs: number; readonly toNs: number }): string {
  return `Selected time: ${formatNs(toNs - fromNs)} from ${formatNs(fromNs)}`;
}

function asked(device: number | null): { readonly device?: number } {
  return device === null ? {} : { device };
}

function render(title: string, analysis: TimelineAnalysis): HTMLElement[] {
  const { metrics, layers, bandwidth } = analysis;
  return [
    element("h2", {}, title),
    verdictOf(analysis),
    factsOf(analysis),
    dataTable("Per role", ROLE_COLUMNS, roleRows(metrics, bandwidth)),
    ...(layers.length === 0 ? [] : [dataTable("Per layer", LAYER_COLUMNS, layers)]),
  ];
}

function verdictOf({ verdict }: TimelineAnalysis): HTMLElement {
  return element(
    "div",
    { class: "verdict" },
    element("strong", {}, verdict.title),
    element("ul", {}, ...verdict.reasoning.map((sentence) => element("li", {}, sentence))),
  );
}

function factsOf({ metrics, idle }: TimelineAnalysis): HTMLElement {
  const { spanNs, computeBusyNs, idleNs, computeWaitNs, hostWaitNs, counts } = metrics;
  const share = (ns: number) => (spanNs > 0 ? ` (${formatShare(ns / spanNs)})` : "");
  const facts: [string, string, string][] = [
    ["Span", formatNs(spanNs), `${FORMULAS.span.formula}: ${grouped(spanNs)} ns`],
    [
      "Compute busy",
      `${formatNs(computeBusyNs)}${share(computeBusyNs)}`,
      `${FORMULAS.computeBusy.formula}: ${grouped(computeBusyNs)} ns`,
    ],
    ["Idle", `${formatNs(idleNs)}${share(idleNs)}`, `${FORMULAS.idle.formula}: ${grouped(idleNs)} ns`],
    ["Kernels", grouped(counts.kernel), FORMULAS.count.formula],
    ["Memsets", grouped(counts.memset), FORMULAS.count.formula],
    ["D2D copies", grouped(counts.dtod), FORMULAS.count.formula],
  ];
  if (idleNs > 0) {
    facts.push(
      ["of idle: host late", formatNs(idle.hostLateNs), FORMULAS.hostLate.formula],
      ["waiting for a copy", formatNs(idle.copyWaitNs), FORMULAS.copyWait.formula],
      ["for a collective", formatNs(idle.collectiveWaitNs), FORMULAS.collectiveWait.formula],
      ["other", formatNs(idle.otherNs), FORMULAS.idleOther.formula],
    );
  }
  if (computeWaitNs > 0) facts.push(["Compute waited", formatNs(computeWaitNs), "sum of the waits of compute streams"]);
  if (hostWaitNs > 0) facts.push(["Host waited", formatNs(hostWaitNs), "sum of the waits of the host for the device"]);
  return element(
    "dl",
    { class: "facts" },
    ...facts.map(([label, value, title]) =>
      element("div", { title, "data-metric": label }, element("dt", {}, label), element("dd", {}, value)),
    ),
  );
}

interface RoleRow {
  readonly name: string;
  readonly covered: CoveredMetrics;
  readonly spread: BandwidthSpread | null;
}

function roleRows(metrics: TimelineMetrics, bandwidth: TimelineAnalysis["bandwidth"]): RoleRow[] {
  return [
    { name: "D2H copies", covered: metrics.d2h, spread: bandwidth.d2h },
    { name: "H2D copies", covered: metrics.h2d, spread: bandwidth.h2d },
    { name: FORMULAS.copiesAny.name, covered: metrics.copiesAny, spread: null },
    { name: "Collectives", covered: metrics.collective, spread: null },
  ];
}

const ROLE_COLUMNS: readonly DataColumn<RoleRow>[] = [
  { label: "Role", kind: "text", cell: ({ name }) => name },
  { label: "Count", title: FORMULAS.count.formula, cell: ({ covered }) => grouped(covered.count) },
  {
    label: "Bytes",
    title: FORMULAS.bytes.formula,
    cell: ({ covered }) => ({
      text: sizeText(covered),
      title: covered.bytes === null ? NOT_RECORDED : formatExactBytes(covered.bytes),
    }),
  },
  { label: "Bandwidth", title: FORMULAS.bandwidth.formula, cell: ({ spread }) => spreadText(spread) },
  timeColumn("Busy", FORMULAS.busy.formula, ({ busyNs }) => busyNs),
  timeColumn("Hidden", FORMULAS.hidden.formula, ({ hiddenNs }) => hiddenNs),
  timeColumn("Exposed", FORMULAS.exposed.formula, ({ exposedNs }) => exposedNs),
];

function bytesText(bytes: number | null): string {
  return bytes === null ? NOT_RECORDED : formatBytes(bytes);
}

function timeColumn(label: string, formula: string, of: (covered: CoveredMetrics) => number): DataColumn<RoleRow> {
  return {
    label,
    title: formula,
    cell: ({ covered }) => ({ text: formatNs(of(covered)), title: `${formula}: ${grouped(of(covered))} ns` }),
  };
}

/** The median, and the middle four fifths where the copies differ. */
function spreadText(spread: BandwidthSpread | null) {
  if (spread === null) return "–";
  const digits = (value: number) => Number(value.toPrecision(3));
  const { medianGBps, p10GBps, p90GBps, minGBps, maxGBps, count } = spread;
  const title = `${FORMULAS.bandwidth.formula}: ${counted(count, "copy", "copies")}, least ${digits(minGBps)}, most ${digits(maxGBps)} GB/s`;
  const text = `${digits(medianGBps)} GB/s`;
  return { text: count > 1 ? `${text} (${digits(p10GBps)} … ${digits(p90GBps)})` : text, title };
}

const LAYER_COLUMNS: readonly DataColumn<LayerCost>[] = [
  { label: "Layer", kind: "text", cell: ({ layer, name }) => (layer < 0 ? "none" : name || String(layer)) },
  { label: "Compute", title: "union of the layer's compute", cell: ({ computeNs }) => formatNs(computeNs) },
  { label: "D2H", title: FORMULAS.count.formula, cell: ({ d2hCount }) => grouped(d2hCount) },
  { label: "Bytes", title: FORMULAS.bytes.formula, cell: ({ d2hBytes }) => bytesText(d2hBytes) },
  { label: "Busy", title: FORMULAS.busy.formula, cell: ({ d2hBusyNs }) => formatNs(d2hBusyNs) },
  { label: "Exposed", title: FORMULAS.exposed.formula, cell: ({ d2hExposedNs }) => formatNs(d2hExposedNs) },
  { label: "H2D", title: FORMULAS.count.formula, cell: ({ h2dCount }) => grouped(h2dCount) },
  { label: "Bytes", title: FORMULAS.bytes.formula, cell: ({ h2dBytes }) => bytesText(h2dBytes) },
  { label: "Busy", title: FORMULAS.busy.formula, cell: ({ h2dBusyNs }) => formatNs(h2dBusyNs) },
  { label: "Exposed", title: FORMULAS.exposed.formula, cell: ({ h2dExposedNs }) => formatNs(h2dExposedNs) },
];
