import { tableLines } from "../../core/base/table.js";
import type { Fits } from "../../core/sweep/fits.js";
import { fitNote, fitRows } from "../../core/sweep/fitText.js";

/** What of a job fits a memory, as a table, and what its figures mean. */
export function fitLines(fits: Fits): readonly string[] {
  return [...tableLines(fitRows(fits), ["left", "right"]), fitNote()];
}
