import { formatBytes, grouped } from "../../../core/base/quantities.js";
import type { ImportReport, ReportLine } from "../../../core/timeline/columns/importReport.js";
import { type DataColumn, dataTable } from "../../kit/dataTable.js";
import { element } from "../../kit/element.js";
import type { ViewModel } from "../state/viewModel.js";

/** What the import did with every element of the file of the run in front. */
export function createReportPanel(model: ViewModel): HTMLElement {
  const root = element("div", { class: "report", tabindex: 0 });
  const show = () => {
    const trace = model.profile.traces[model.run];
    root.replaceChildren(...(trace === undefined ? [] : render(trace.fileName, trace.report)));
  };
  model.listen((change) => {
    if (change === "run") show();
  });
  show();
  return root;
}

function render(fileName: string, report: ImportReport): HTMLElement[] {
  const { total, kept, repaired, overlapped, dropped, textBytes, format, isTruncated, lines } = report;
  const fact = (label: string, value: string, title: string) =>
    element("div", { title, "data-report": label }, element("dt", {}, label), element("dd", {}, value));
  return [
    element("h2", {}, fileName),
    element(
      "dl",
      { class: "facts" },
      fact("Format", format, "Who wrote the file, as far as its contents tell"),
      fact("Text", formatBytes(textBytes), `${grouped(textBytes)} bytes, after decompression`),
      fact("Elements", grouped(total), "All elements of the file, metadata included"),
      fact("Kept", grouped(kept), "Elements whose content is in the timeline"),
      fact("Repaired", grouped(repaired), "Kept, after a fault in the text was corrected"),
      fact("Overlapping", grouped(overlapped), "Kept, and drawn on a second row of their stream"),
      fact("Dropped", grouped(dropped), "Elements − kept"),
    ),
    ...(isTruncated
      ? [element("p", { class: "warning" }, "⚠ The file ends early: what came before its end is shown.")]
      : []),
    lines.length === 0
      ? element("p", { class: "hint" }, "Nothing was repaired, overlapping or dropped.")
      : dataTable("What happened to elements", LINE_COLUMNS, lines),
  ];
}

const LINE_COLUMNS: readonly DataColumn<ReportLine>[] = [
  { label: "Outcome", kind: "text", cell: ({ outcome }) => outcome },
  { label: "Count", cell: ({ count }) => grouped(count) },
  { label: "Reason", kind: "text", cell: ({ reason, code }) => ({ text: reason, title: code }) },
  {
    label: "First at byte",
    title: "Offset in the (decompressed) text",
    cell: ({ firstByteOffset }) => (firstByteOffset === null ? "–" : grouped(firstByteOffset)),
  },
  {
    label: "First example",
    kind: "text",
    cell: ({ firstExample }) => ({ text: firstExample.slice(0, 160), title: firstExample.slice(0, 1000) }),
  },
];
