import { counted } from "../../core/base/quantities.js";
import { tableLines } from "../../core/base/table.js";
import type { Lever, LeverTable } from "../../core/lever/leverTable.js";
import { leversLine, memoryChange, movedTo, timeChange, valueText } from "../../core/lever/leverText.js";
import { deviceMemory } from "../../core/sweep/explain.js";

/** What single keys of the config would do, as tables: those that lower the peak, best first, those that move something else, and what is set for nothing. */
export function leverLines(table: LeverTable): readonly string[] {
  const { deviceName, levers, others, withoutEffect, stackOnly, findings } = table;
  const told = new Set(findings.map(({ key }) => key));
  const head = `Keys, each changed alone and simulated on ${deviceName}: ${leversLine(table)}.`;
  return [
    head,
    ...(stackOnly === undefined ? [] : [`Stack only: ${stackOnly}.`]),
    ...listed("", levers, table),
    ...listed("These do not lower the peak:", others, table),
    ...findings.map(({ message }) => message),
    ...withoutEffect
      .filter(({ key }) => !told.has(key))
      .map(
        ({ key, value }) => `${key} = ${value}: the step's peak stays ${deviceMemory(table.peakBytes)}, and its time.`,
      ),
  ];
}

function listed(title: string, levers: readonly Lever[], table: LeverTable): readonly string[] {
  if (levers.length === 0) return [];
  const rows = levers.map((lever) => [
    `${lever.key} = ${valueText(lever.value)}`,
    `peak ${memoryChange(table.peakBytes, lever.peakBytesAfter)}`,
    `step ${timeChange(lever, table)}`,
    movedTo(table.phase, lever.phaseAfter),
    lever.ranksAfter === table.ranks ? "" : counted(lever.ranksAfter, "rank"),
  ]);
  return [...(title === "" ? [] : [title]), ...tableLines(rows, ["left", "left", "left", "left", "left"])];
}
