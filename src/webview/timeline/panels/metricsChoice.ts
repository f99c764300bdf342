import type { TimelineSpan } from "../../../core/timeline/columns/columns.js";
import { dropdown } from "../../kit/controls.js";
import { element } from "../../kit/element.js";
import { deviceTitle } from "../state/deviceTitle.js";
import type { ViewModel } from "../state/viewModel.js";

/** More steps and phases are chosen by dragging over them. */
const MOST_SPANS = 300;
const EVERYTHING = "everything";
const SELECTED = "selected";

/** What the metrics are of: a step or a phase, which becomes the selected time, and one of several devices. */
export class MetricsChoice {
  readonly root = element("div", { class: "metrics-choice" });
  private time: (HTMLElement & { value?: string }) | null = null;
  /** Number of the device that the user chose; of several, else the first. */
  private chosen: number | null = null;

  constructor(
    private readonly model: ViewModel,
    private readonly onDevice: () => void,
  ) {
    model.listen((change) => {
      if (change === "run") this.show();
      if (change === "area") this.showTime();
    });
    this.show();
  }

  /** Copies of one device do not hide under compute of another: of several, one is shown at a time. */
  get device(): number | null {
    const { timeline } = this.model;
    if (timeline === null || timeline.perDevice.length === 0) return null;
    const numbers = timeline.devices.map(({ device }) => device);
    return this.chosen !== null && numbers.includes(this.chosen) ? this.chosen : (numbers[0] ?? null);
  }

  /** The step or phase that is exactly the selected time. */
  get span(): TimelineSpan | null {
    const { area } = this.model;
    return this.spans.find(({ startNs, endNs }) => startNs === area?.fromNs && endNs === area.toNs) ?? null;
  }

  private get spans(): readonly TimelineSpan[] {
    return (this.model.timeline?.spans ?? []).slice(0, MOST_SPANS);
  }

  private show(): void {
    const times = this.timeChoice();
    const devices = this.deviceChoice();
    this.root.replaceChildren(...times, ...devices);
    this.root.hidden = this.root.childElementCount === 0;
    this.showTime();
  }

  private timeChoice(): (Node | string)[] {
    this.time = null;
    const { spans } = this;
    if (spans.length === 0) return [];
    const named = spans.map(({ label }, at) => [String(at), label] as const);
    const choices = [[EVERYTHING, "Everything"] as const, ...named, [SELECTED, "Selected time"] as const];
    this.time = dropdown("Step or phase", choices, (value) => this.choose(value));
    return ["Of ", this.time];
  }

  private choose(value: string): void {
    const span = this.spans[Number(value)];
    if (value === EVERYTHING) this.model.selectArea(null);
    else if (span !== undefined) this.model.selectArea({ fromNs: span.startNs, toNs: span.endNs });
  }

  /** The list follows what is selected elsewhere. */
  private showTime(): void {
    const { span, time } = this;
    if (time === null) return;
    const value = span !== null ? String(this.spans.indexOf(span)) : this.model.area === null ? EVERYTHING : SELECTED;
    if (time.value !== value) time.value = value;
  }

  private deviceChoice(): (Node | string)[] {
    const { device } = this;
    if (device === null) return [];
    const { devices, perDevice } = this.model.timeline ?? { devices: [], perDevice: [] };
    // The list shows its first entry until another one is chosen.
    const sorted = devices
      .slice(0, perDevice.length)
      .sort((a, b) => Number(b.device === device) - Number(a.device === device));
    const choices = sorted.map((one) => [String(one.device), deviceTitle(one)] as const);
    const list = dropdown("Device", choices, (value) => {
      this.chosen = Number(value);
      this.onDevice();
    });
    return ["Device ", list];
  }
}
