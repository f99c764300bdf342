import { unclearWord } from "../../../core/base/noise.js";
import { counted, formatBytes, formatDifference, formatNs, grouped } from "../../../core/base/quantities.js";
import { NOT_RECORDED } from "../../../core/timeline/metrics/copySizes.js";
import { FORMULAS } from "../../../core/timeline/metrics/formulas.js";
import type { ComparedLayer, ComparedValue, TimelineComparison } from "../../../core/timeline/query/comparisonTypes.js";
import { dropdown, textButton } from "../../kit/controls.js";
import { type DataColumn, dataTable } from "../../kit/dataTable.js";
import { element } from "../../kit/element.js";
import { KeepLatest } from "../../kit/keepLatest.js";
import type { Connection } from "../connection.js";
import { runName } from "../state/runNames.js";
import type { ViewModel } from "../state/viewModel.js";

const TREND_WORDS = { better: "▼ better", worse: "▲ worse", same: "= same" } as const;

/**
 * Two runs or files side by side as numbers. Of a profile B is the run in front and A the one that it is compared with; of files
 * A is the one that was named first, as on the command line.
 */
export class ComparePanel {
  readonly root = element("div", { class: "compare", tabindex: 0 });
  private readonly chooser = element("div", { class: "compare-choice" });
  private readonly result = element("div", { class: "compare-result" });
  private readonly asked = new KeepLatest();
  /** The run that the user compares with; null follows a rule. */
  private chosen: number | null = null;

  constructor(
    private readonly model: ViewModel,
    private readonly connection: Connection,
    private readonly onAddFile: () => void,
  ) {
    this.root.append(this.chooser, this.result);
    model.listen((change) => {
      if (change === "run" || change === "tab") this.refresh();
    });
    this.refresh();
  }

  private refresh(): void {
    if (this.model.tab !== "compare") return;
    this.showChoice();
    this.asked.run(() => this.load());
  }

  /** Every recorded run but the one in front. */
  private get others(): number[] {
    const { timelines } = this.model.profile;
    return timelines.flatMap((timeline, run) => (timeline !== null && run !== this.model.run ? [run] : []));
  }

  /**
   * What the run in front is compared with: what the user chose, else the run without offload and the same checkpointing, else
   * the first other one.
   */
  private get other(): number | undefined {
    const { others } = this;
    if (this.chosen !== null && others.includes(this.chosen)) return this.chosen;
    const runs = this.model.profile.result?.runs;
    const own = runs?.[this.model.run];
    const baseline = others.find(
      (run) => runs?.[run]?.strategy === "none" && runs[run]?.gradientCheckpointing === own?.gradientCheckpointing,
    );
    return baseline ?? others[0];
  }

  /** Whether a run is A where it is compared with the one in front. */
  private isBefore(run: number): boolean {
    return this.model.profile.result !== null || run < this.model.run;
  }

  private showChoice(): void {
    const { other, others, model } = this;
    const add = textButton(
      "Add a file…",
      "Compares another profile or trace with this one, in a tab of their own",
      this.onAddFile,
    );
    if (other === undefined) {
      const hint = element(
        "p",
        { class: "hint" },
        "Nothing to compare with yet. Add the trace or profile of another run.",
      );
      this.chooser.replaceChildren(hint, add);
      return;
    }
    const sorted = [other, ...others.filter((run) => run !== other)];
    const choices = sorted.map((run) => [String(run), runName(model.profile, run)] as const);
    const isBefore = this.isBefore(other);
    const list = dropdown(`${isBefore ? "A" : "B"}: compare with`, choices, (value) => {
      this.chosen = Number(value);
      // It may come before the run in front or after it.
      this.showChoice();
      this.chooser.querySelector<HTMLElement>("vscode-dropdown")?.focus();
      this.asked.run(() => this.load());
    });
    const front = runName(model.profile, model.run);
    const names = isBefore
      ? element("span", {}, "A", list, `against B ${front}`)
      : element("span", {}, `A ${front} against B`, list);
    this.chooser.replaceChildren(names, add);
  }

  private async load(): Promise<void> {
    const { other } = this;
    const { run } = this.model;
    if (other === undefined) return this.result.replaceChildren();
    const [a, b] = this.isBefore(other) ? [other, run] : [run, other];
    const outcome = await this.connection.ask({ kind: "compare", run: a, with: b });
    if (run !== this.model.run) return;
    if (!outcome.ok) {
      this.result.replaceChildren(
        element("p", { class: "hint" }, `${outcome.problem.message} ${outcome.problem.nextStep}`),
      );
      return;
    }
    this.result.replaceChildren(...render(outcome.value));
  }
}

function render({ a, b, verdict, steps, hasSteps, metrics, lanes, layers }: TimelineComparison): HTMLElement[] {
  const what = hasSteps ? counted(steps, "recorded step") : "Whole recordings";
  const compared = `${what} compared: A is ${a}, B is ${b}`;
  return [
    element("p", { class: "verdict" }, element("strong", {}, verdict.text), ` ${compared}.`),
    dataTable("Metrics", VALUE_COLUMNS, metrics),
    ...(lanes.length === 0 ? [] : [dataTable("Busy time per lane", VALUE_COLUMNS, lanes)]),
    ...(layers.length === 0 ? [] : [dataTable("Per layer", LAYER_COLUMNS, layers)]),
  ];
}

const FORMATS: Readonly<Record<ComparedValue["unit"], (value: number) => string>> = {
  ns: formatNs,
  bytes: formatBytes,
  count: (value) => (value < 0 ? `\u2212${grouped(Math.abs(value))}` : grouped(value)),
};

const VALUE_COLUMNS: readonly DataColumn<ComparedValue>[] = [
  { label: "Metric", kind: "text", cell: ({ label }) => label },
  { label: "A", cell: ({ a, unit }) => sideCell(a, unit) },
  { label: "B", cell: ({ b, unit }) => sideCell(b, unit) },
  {
    label: "Difference",
    title: FORMULAS.difference.formula,
    cell: ({ a, b, unit }) => (a === null || b === null ? "–" : formatDifference(b, a, FORMATS[unit])),
  },
  {
    label: "Noise",
    title: FORMULAS.noise.formula,
    cell: ({ noise, unit }) => (noise === null ? "–" : `±${FORMATS[unit](noise)}`),
  },
  { label: "Verdict", kind: "text", cell: verdictOf },
];

function sideCell(value: number | null, unit: ComparedValue["unit"]) {
  return value === null ? NOT_RECORDED : { text: FORMATS[unit](value), title: `${grouped(value)} ${unit}` };
}

function verdictOf({ trend, noise, marginSource }: ComparedValue): string {
  if (trend === null) return "";
  return trend === "unclear" ? `? ${unclearWord({ width: noise, source: marginSource })}` : TREND_WORDS[trend];
}

const LAYER_COLUMNS: readonly DataColumn<ComparedLayer>[] = [
  { label: "Layer", kind: "text", cell: ({ layer, name }) => (layer < 0 ? "none" : name || String(layer)) },
  { label: "Compute A", cell: ({ computeNs }) => formatNs(computeNs.a) },
  { label: "Compute B", cell: ({ computeNs }) => formatNs(computeNs.b) },
  { label: "Difference", cell: ({ computeNs }) => formatDifference(computeNs.b, computeNs.a, formatNs) },
  { label: "Exposed A", title: FORMULAS.exposed.formula, cell: ({ exposedNs }) => formatNs(exposedNs.a) },
  { label: "Exposed B", title: FORMULAS.exposed.formula, cell: ({ exposedNs }) => formatNs(exposedNs.b) },
  { label: "Difference", cell: ({ exposedNs }) => formatDifference(exposedNs.b, exposedNs.a, formatNs) },
];
