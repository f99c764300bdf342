import { element } from "./element.js";

/** A column of a small table; `title` explains its numbers. */
export interface DataColumn<Row> {
  readonly label: string;
  readonly title?: string;
  readonly kind?: "text" | "number";
  cell(row: Row): DataCell;
}

/** Text, or text with a hover, or anything. */
export type DataCell = string | { readonly text: string; readonly title: string } | Node;

/** A plain table with a caption for screen readers; the first column names the rows. */
export function dataTable<Row>(
  caption: string,
  columns: readonly DataColumn<Row>[],
  rows: readonly Row[],
): HTMLElement {
  const head = element("tr", {});
  for (const { label, title, kind } of columns)
    head.append(element("th", { scope: "col", class: kind ?? "number", ...(title && { title }) }, label));
  const body = rows.map((row) => {
    const line = element("tr", {});
    columns.forEach(({ cell, kind, title }, at) => {
      const content = cell(row);
      const isHeader = at === 0;
      const hover =
        typeof content === "object" && "title" in content && !(content instanceof Node) ? content.title : title;
      const made = element(isHeader ? "th" : "td", {
        class: kind ?? "number",
        ...(isHeader && { scope: "row" }),
        ...(hover && { title: hover }),
      });
      made.append(typeof content === "string" || content instanceof Node ? content : content.text);
      line.append(made);
    });
    return line;
  });
  return element(
    "table",
    { class: "data-table" },
    element("caption", { class: "for-readers" }, caption),
    element("thead", {}, head),
    element("tbody", {}, ...body),
  );
}
