import { unclearWord } from "../../core/base/noise.js";
import { counted, formatBytes, formatDifference, formatNs, formatShare, grouped } from "../../core/base/quantities.js";
import { tableLines } from "../../core/base/table.js";
import type { ImportReport } from "../../core/timeline/columns/importReport.js";
import { NOT_RECORDED, rateText, sizeText } from "../../core/timeline/metrics/copySizes.js";
import type { ComparedValue, TimelineComparison } from "../../core/timeline/query/comparisonTypes.js";
import type { Finding } from "../../core/timeline/query/finding.js";
import type { DeviceJson, TraceJson } from "../../core/timeline/traceJson.js";
import { linesOfText } from "./terminalText.js";

/** The metrics of one timeline for a terminal. Ends with a newline. */
export function formatTrace(trace: TraceJson): string {
  const lines = [
    trace.run === undefined ? trace.file : `${trace.file}: ${trace.run}`,
    `  events      ${grouped(trace.events.total)} in the file, ${grouped(trace.events.kept)} kept, ${grouped(trace.events.repaired)} repaired, ${grouped(trace.events.overlapped)} overlapping, ${grouped(trace.events.dropped)} dropped`,
    ...(trace.devices.some(hasWork) ? trace.devices.flatMap(formatDevice) : ["  no kernels or copies of a device"]),
    ...trace.findings.flatMap(formatFinding),
  ];
  return `${plain(linesOfText(lines))}\n`;
}

function hasWork({ spanNs, counts, d2h, h2d, collective }: DeviceJson): boolean {
  return spanNs > 0 || counts.kernel + counts.memset + counts.dtod + d2h.count + h2d.count + collective.count > 0;
}

function formatDevice(device: DeviceJson): string[] {
  const { spanNs, d2h, h2d, copiesAny, collective, counts } = device;
  const share = (ns: number) => (spanNs > 0 ? ` (${formatShare(ns / spanNs)})` : "");
  const copies = (label: string, copy: typeof d2h) =>
    copy.count === 0
      ? `    ${label} none`
      : `    ${label} ${[grouped(copy.count), sizeText(copy), rateText(copy)].filter((part) => part !== "").join(", ")}; busy ${formatNs(copy.busyNs)} = hidden ${formatNs(copy.hiddenNs)} + exposed ${formatNs(copy.exposedNs)}`;
  return [
    `  device ${device.device}${device.name === "" ? "" : ` (${device.name})`}`,
    `    span        ${formatNs(spanNs)}`,
    `    compute     busy ${formatNs(device.computeBusyNs)}${share(device.computeBusyNs)}; ${counted(counts.kernel, "kernel")}, ${counted(counts.memset, "memset")}, ${counted(counts.dtod, "device-to-device copy", "device-to-device copies")}`,
    copies("D2H copies ", d2h),
    copies("H2D copies ", h2d),
    `    all copies  busy ${formatNs(copiesAny.busyNs)} = hidden ${formatNs(copiesAny.hiddenNs)} + exposed ${formatNs(copiesAny.exposedNs)}${share(copiesAny.exposedNs)}`,
    collective.count === 0
      ? "    collectives none"
      : `    collectives ${grouped(collective.count)}; busy ${formatNs(collective.busyNs)} = hidden ${formatNs(collective.hiddenNs)} + exposed ${formatNs(collective.exposedNs)}${share(collective.exposedNs)}`,
    `    idle        ${formatNs(device.idleNs)}${share(device.idleNs)}`,
  ];
}

function formatFinding(finding: Finding): string[] {
  const cost = finding.costNs === null ? "" : ` [up to ${formatNs(finding.costNs)}]`;
  const [first] = finding.events;
  const name = first?.name.trim() === "" ? "something without a name" : first?.name.slice(0, 80);
  const where = first === undefined ? "" : ` (such as at ${formatNs(first.startNs)}: ${name})`;
  return [`  ${finding.severity}: ${finding.code}: ${finding.message}${cost}${where}`];
}

/** What the import did with the elements of one file. */
export function formatImportReport(report: ImportReport): string {
  const lines = [
    `  import      ${report.format}, ${formatBytes(report.textBytes)} of text${report.isTruncated ? ", cut off" : ""}`,
  ];
  for (const line of report.lines) {
    const at = line.firstByteOffset === null ? "" : `, first at byte ${grouped(line.firstByteOffset)}`;
    lines.push(`    ${line.outcome} ${grouped(line.count)}: ${line.code}: ${line.reason.replace(/\.$/, "")}${at}`);
    if (line.firstExample !== "") lines.push(`      ${line.firstExample.slice(0, 110)}`);
  }
  return `${plain(linesOfText(lines))}\n`;
}

/** Two timelines side by side. */
export function formatComparison(comparison: TimelineComparison): string {
  const rows = [...comparison.metrics, ...comparison.lanes].map((value) => {
    const format = value.unit === "ns" ? formatNs : value.unit === "bytes" ? formatBytes : grouped;
    const trend = trendWord(value);
    const { label, a, b } = value;
    const shown = (one: number | null) => (one === null ? NOT_RECORDED : format(one));
    return [label, shown(a), shown(b), a === null || b === null ? "" : formatDifference(b, a, format), trend];
  });
  const cells = [["", "before", "after", "difference", ""], ...rows].map((row) => row.map(plain));
  return linesOfText([
    `before  ${comparison.a}`,
    `after   ${comparison.b}`,
    "",
    ...tableLines(cells, ["left", "right", "right", "right", "left"]),
    "",
    plain(comparison.verdict.text),
    "",
  ]);
}

function trendWord({ trend, noise, marginSource }: ComparedValue): string {
  if (trend === null || trend === "same") return "";
  return trend === "unclear" ? unclearWord({ width: noise, source: marginSource }) : trend;
}

/** The terminal's own characters, so that the text can be searched and cut by any tool. */
function plain(text: string): string {
  return text.replaceAll("\u00a0", " ").replaceAll("\u2212", "-").replaceAll("±0", "equal").replaceAll("µ", "u");
}
