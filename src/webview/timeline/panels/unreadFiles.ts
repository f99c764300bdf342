import { fileRemarks } from "../../../core/timeline/query/fileRemarks.js";
import type { ProfileOverview, UnreadFile } from "../../../core/timeline/query/protocol.js";
import { element } from "../../kit/element.js";

/** So many are listed at once; of more only the line that counts them is shown until it is opened. */
const FEW = 2;
/** Names in the line that counts them. */
const MOST_NAMED = 2;

/** Above the timeline: what one has to know about files that are shown. */
export function createRemarks({ traces }: ProfileOverview): HTMLElement[] {
  const remarks = traces.flatMap(({ fileName, report }) =>
    fileRemarks(report).map((remark) => element("li", {}, element("strong", {}, fileName), ` ${remark}`)),
  );
  if (remarks.length === 0) return [];
  const list = element("ul", { class: "warning", "aria-label": "Remarks about files" }, ...remarks);
  return [element("section", { class: "unread remarks", "aria-label": "Remarks", role: "status" }, list)];
}

/** Beside the files that are shown: which could not be read, why, and what to do about it. Nothing where all could. */
export function createUnreadFiles({ unread, traces }: ProfileOverview): HTMLElement[] {
  if (unread.length === 0) return [];
  const names = unread.slice(0, MOST_NAMED).map(({ fileName }) => fileName);
  const more = unread.length > MOST_NAMED ? `, and ${unread.length - MOST_NAMED} more` : "";
  const title = `⚠ ${unread.length} of ${unread.length + traces.length} files cannot be shown: ${names.join(", ")}${more}`;
  const list = element(
    "details",
    {},
    element("summary", { class: "warning" }, title),
    element("ul", { tabindex: 0, "aria-label": "Files that cannot be shown" }, ...unread.map(describe)),
  );
  list.open = unread.length <= FEW;
  return [element("section", { class: "unread", "aria-label": "Unread files", role: "status" }, list)];
}

function describe({ fileName, problem }: UnreadFile): HTMLElement {
  const cause = problem.cause === undefined ? "" : ` ${problem.cause}`;
  return element(
    "li",
    {},
    element("strong", {}, fileName),
    ` ${problem.message}${cause} ${problem.nextStep} `,
    element("code", {}, problem.code),
  );
}
