import { PART_TITLES } from "../../../core/base/memoryParts.js";
import { formatBytes, formatExactBytes, formatNs, formatShare, grouped } from "../../../core/base/quantities.js";
import { peakNote, phaseTitle } from "../../../core/profile/peakNote.js";
import type { ProfileResult, ProfileRun } from "../../../core/profile/result.js";
import { element } from "../../kit/element.js";

const NS_PER_MS = 1e6;

interface Cell {
  readonly text: string;
  readonly title?: string;
}

/**
 * Where a whole step has its peak; opened, its phases and what the peak is made of, side by side. undefined for a run of the stack
 * alone.
 */
export function wholeStepTables(run: ProfileRun, result: ProfileResult, isOpen: boolean): HTMLElement | undefined {
  const { phases, peak } = run;
  if (phases === undefined || peak === undefined) return undefined;
  const peakPhase = phases.findIndex(({ phase, microBatch }) => phase === peak.phase && microBatch === peak.microBatch);
  const phaseRows = phases.map((phase) => [
    { text: phaseTitle(run, phase) },
    { text: formatNs(phase.ms * NS_PER_MS) },
    bytesCell(phase.peakBytes),
    bytesCell(phase.endBytes),
  ]);
  const partRows = [...peak.parts]
    .sort((one, other) => other.bytes - one.bytes)
    .map(({ what, bytes, count }) => [
      { text: PART_TITLES[what] },
      bytesCell(bytes),
      { text: formatShare(bytes / run.peakBytes) },
      { text: grouped(count) },
    ]);
  return element(
    "details",
    { class: "whole-step", open: isOpen },
    element("summary", {}, `Peak of ${run.strategy} in ${peakNote(run, result)}`),
    element(
      "div",
      { class: "whole-step-tables" },
      table("Phases", ["Phase", "Time", "Peak", "At its end"], phaseRows, peakPhase),
      table("The peak", ["Part", "Bytes", "Share", "Tensors"], partRows),
    ),
  );
}

function bytesCell(bytes: number): Cell {
  return { text: formatBytes(bytes), title: formatExactBytes(bytes) };
}

function table(label: string, head: readonly string[], rows: readonly (readonly Cell[])[], shown = -1): HTMLElement {
  const body = rows.map((cells, at) => {
    const row = element("tr", { class: at === shown ? "is-shown" : "" });
    cells.forEach(({ text, title = "" }, column) => {
      const isNumber = column > 0;
      row.append(isNumber ? element("td", { class: "number", title }, text) : element("th", { scope: "row" }, text));
    });
    return row;
  });
  const titles = head.map((text, column) => element("th", { scope: "col", class: column > 0 ? "number" : "" }, text));
  return element(
    "table",
    { class: "summary-table", "aria-label": label },
    element("thead", {}, element("tr", {}, ...titles)),
    element("tbody", {}, ...body),
  );
}
