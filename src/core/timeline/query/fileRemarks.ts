import type { ImportReport } from "../columns/importReport.js";

/** Lines of a report that are about the file as a whole: they are said without being asked for. */
const SAID_UNASKED: Readonly<Record<string, string>> = {
  MORE_TEXT:
    "More text follows after the end of the trace, such as a second trace; only the first is shown. Split the file, and open the parts side by side.",
  CHECKSUM_WRONG:
    "The checksum of the compressed file is wrong: its text may hold errors. Copy the file again from where it was recorded.",
};

/** What somebody who looks at the figures of a file has to know about the file, a sentence or two each. */
export function fileRemarks({ isTruncated, lines }: Pick<ImportReport, "isTruncated" | "lines">): string[] {
  const remarks = lines.flatMap(({ code }) => SAID_UNASKED[code] ?? []);
  return isTruncated ? ["It is cut off; the figures are those of the part that is there.", ...remarks] : remarks;
}
