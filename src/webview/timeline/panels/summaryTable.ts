import { counted, formatBytes, formatExactBytes, formatNs, grouped } from "../../../core/base/quantities.js";
import type { CopyTotals, ProfileRun } from "../../../core/profile/result.js";
import { expectedStep, keptActivationBytes } from "../../../core/profile/runFigures.js";
import { element } from "../../kit/element.js";
import type { ViewModel } from "../state/viewModel.js";
import { wholeStepTables } from "./wholeStepTables.js";

interface Column {
  readonly label: string;
  readonly formula: string;
  cell(run: ProfileRun): { readonly text: string; readonly title: string };
}

const MS = 1e6;
/** Below this height the timeline needs the room. */
const TALL_ENOUGH_FOR_PHASES_PX = 900;

const COLUMNS: readonly Column[] = [
  {
    label: "Step",
    formula: "Median of the steps after the warm-up",
    cell: (run) => ({
      text: formatNs(run.stepMs.median * MS),
      title: [run.stepMs.samples.map((ms) => formatNs(ms * MS)).join(", "), ...expectation(run)].join("; "),
    }),
  },
  {
    label: "After forward",
    formula: "Live bytes after forward − parameters and buffers",
    cell: (run) => bytesCell(keptActivationBytes(run)),
  },
  { label: "Peak", formula: "Most live tensor bytes in the step", cell: (run) => bytesCell(run.peakBytes) },
  { label: "Pinned", formula: "Most page-locked host memory", cell: (run) => bytesCell(run.pinnedPeakBytes) },
  copyColumn("D2H hidden", "hidden", (run) => run.copies.d2h),
  copyColumn("D2H exposed", "exposed", (run) => run.copies.d2h),
  copyColumn("H2D hidden", "hidden", (run) => run.copies.h2d),
  copyColumn("H2D exposed", "exposed", (run) => run.copies.h2d),
  {
    label: "Stalls",
    formula: "Time that the host waited in pack and unpack + time that the compute stream waited for copies",
    cell: (run) => ({
      text: formatNs((run.hostStallMs + run.streamStallMs) * MS),
      title: `host ${formatNs(run.hostStallMs * MS)}, compute stream ${formatNs(run.streamStallMs * MS)}`,
    }),
  },
  {
    label: "Pool a/r/e/d",
    formula: "Host pool over all steps: allocations / reuses / evictions / drops",
    cell: ({ pool }) =>
      pool === null
        ? { text: "–", title: "This strategy has no pool" }
        : {
            text: [pool.allocations, pool.reuses, pool.evictions, pool.drops].map(grouped).join(" / "),
            title: `${counted(pool.allocations, "allocation")}, ${counted(pool.reuses, "reuse")}, ${counted(pool.evictions, "eviction")}, ${counted(pool.drops, "drop")}`,
          },
  },
  {
    label: "Gradients",
    formula: "Bitwise comparison with “none” and the same checkpointing",
    cell: ({ gradients }) => ({
      text: gradients.equalToBaseline === null ? "–" : gradients.equalToBaseline ? "✓ equal" : "✗ differ",
      title: `checksum ${gradients.checksum}${gradients.reason === undefined ? "" : `; ${gradients.reason}`}`,
    }),
  },
];

function expectation(run: ProfileRun): readonly string[] {
  const expected = expectedStep(run);
  return expected === null ? [] : [`simulated: a real step is expected within ${expected}`];
}

function bytesCell(bytes: number) {
  return { text: formatBytes(bytes), title: formatExactBytes(bytes) };
}

function copyColumn(label: string, part: "hidden" | "exposed", of: (run: ProfileRun) => CopyTotals): Column {
  return {
    label,
    formula: part === "hidden" ? "Busy copy time under compute" : "Busy copy time − hidden",
    cell: (run) => {
      const copies = of(run);
      if (copies.count === 0) return { text: "–", title: "no copies" };
      const rate = `${counted(copies.count, "copy", "copies")}, ${formatExactBytes(copies.bytes)}, busy ${formatNs(copies.busyNs)}`;
      return { text: formatNs(part === "hidden" ? copies.hiddenNs : copies.exposedNs), title: rate };
    },
  };
}

/** One row per run, all numbers side by side; a press on a row shows that run. */
export function createSummaryTable(model: ViewModel): HTMLElement {
  const { result } = model.profile;
  const { runs, warnings } = result ?? { runs: [], warnings: [] };
  const head = element(
    "tr",
    {},
    element("th", { scope: "col" }, "Strategy"),
    element("th", { scope: "col", title: "Gradient checkpointing" }, "Ckpt"),
  );
  for (const column of COLUMNS)
    head.append(element("th", { scope: "col", class: "number", title: column.formula }, column.label));
  const rows = runs.map((run, at) => createRow(run, () => model.showRun(at)));
  const table = element("table", { class: "summary-table" }, element("thead", {}, head), element("tbody", {}, ...rows));
  const notes = warnings.map((warning) => element("p", { class: "warning" }, `⚠ ${warning.message} (${warning.code})`));
  const wholeStep = element("div", {});
  let isWholeStepOpen = window.innerHeight >= TALL_ENOUGH_FOR_PHASES_PX;
  const root = element("section", { class: "summary", "aria-label": "All runs" }, table, wholeStep, ...notes);
  let described: ProfileRun | undefined;
  const show = () => {
    root.hidden = !model.isSummaryOpen;
    for (const [at, row] of rows.entries()) row.classList.toggle("is-shown", at === model.run);
    const run = runs[model.run];
    if (run === described || run === undefined || result === null) return;
    described = run;
    const shown = wholeStep.firstElementChild;
    if (shown instanceof HTMLDetailsElement) isWholeStepOpen = shown.open;
    const tables = wholeStepTables(run, result, isWholeStepOpen);
    wholeStep.replaceChildren(...(tables === undefined ? [] : [tables]));
  };
  model.listen(show);
  show();
  return root;
}

function createRow(run: ProfileRun, onPress: () => void): HTMLElement {
  const row = element(
    "tr",
    {},
    element("th", { scope: "row", title: run.patterns?.join(", ") ?? "" }, run.strategy),
    element("td", {}, run.gradientCheckpointing ? "on" : "off"),
  );
  for (const column of COLUMNS) {
    const { text, title } = column.cell(run);
    const differs = text.startsWith("✗") ? " is-bad" : "";
    row.append(element("td", { class: `number${differs}`, title }, text));
  }
  row.addEventListener("click", onPress);
  return row;
}
