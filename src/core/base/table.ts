export type Align = "left" | "right";

/**
 * Rows of cells as lines of text: columns as wide as their widest cell, two blanks between them, nothing behind the last letter of
 * a line. The last alignment holds for all further columns; no column is narrower than `leastWidth` letters.
 */
export function tableLines(
  rows: readonly (readonly string[])[],
  aligns: readonly Align[],
  leastWidth = 0,
): readonly string[] {
  const widths = columnWidths(rows).map((width) => Math.max(width, leastWidth));
  return rows.map((row) =>
    row
      .map((cell, column) => padded(cell, widths[column] ?? 0, alignOf(aligns, column)))
      .join("  ")
      .trimEnd(),
  );
}

/** A line under the heads of a table: dashes as wide as each column. */
export function tableRule(rows: readonly (readonly string[])[]): string {
  return columnWidths(rows)
    .map((width) => "-".repeat(width))
    .join("  ");
}

function columnWidths(rows: readonly (readonly string[])[]): readonly number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return widths;
}

function alignOf(aligns: readonly Align[], column: number): Align {
  return aligns[Math.min(column, aligns.length - 1)] ?? "left";
}

function padded(cell: string, width: number, align: Align): string {
  return align === "left" ? cell.padEnd(width) : cell.padStart(width);
}
