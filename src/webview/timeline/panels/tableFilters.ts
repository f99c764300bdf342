import type { LaneRole } from "../../../core/timeline/columns/laneRoles.js";
import { ROLE_NAMES } from "../../../core/timeline/columns/laneWork.js";
import { parseByteSize, parseDuration } from "../../../core/timeline/query/parseQuantity.js";
import type { TableFilter } from "../../../core/timeline/query/protocol.js";
import { checkbox, checkedField, dropdown, searchField } from "../../kit/controls.js";
import { element } from "../../kit/element.js";
import type { ViewModel } from "../state/viewModel.js";

export interface TableFilters {
  readonly root: HTMLElement;
  /** Puts the cursor into the field of the name. */
  focus(): void;
}

/** Name, lane, stream, least duration, least bytes, and whether only the selected time counts. Enter goes to the next match. */
export function createTableFilters(
  model: ViewModel,
  count: HTMLElement,
  onEnter: (step: 1 | -1) => void,
): TableFilters {
  const name = searchField("Search by name", "Search by name ( / )", (text) => model.narrow({ ...model.filter, text }));
  const streams = element("span", { class: "filter-stream" });
  const duration = checkedField("At least this long", "≥ 10 µs", (text) => {
    const ns = parseDuration(text);
    if (ns === null) return "A duration like 10 µs, 1.5 ms or 2 s";
    model.narrow(withBound(model.filter, "minDurationNs", ns));
    return null;
  });
  const bytes = checkedField("At least these bytes", "≥ 1 MiB", (text) => {
    const size = parseByteSize(text);
    if (size === null) return "A size like 512 B, 64 KiB or 1.5 GiB";
    model.narrow(withBound(model.filter, "minBytes", size));
    return null;
  });
  const inTime = checkbox("Selected time", "Only events that touch the selected time", (checked) =>
    model.narrow(model.filter, checked),
  );
  const roles = Object.entries(ROLE_NAMES);
  const lanes = dropdown("Lane", [["", "All lanes"], ...roles], (role) =>
    model.narrow({ ...model.filter, role: role === "" ? null : (role as LaneRole) }),
  );
  const label = inTime.parentElement ?? inTime;
  const root = element(
    "div",
    { class: "filters", role: "search" },
    name,
    lanes,
    streams,
    duration,
    bytes,
    label,
    count,
  );
  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter") onEnter(event.shiftKey ? -1 : 1);
  });
  const show = () => {
    streams.replaceChildren(streamList(model));
    inTime.checked = model.isTableInArea;
    label.hidden = model.area === null;
  };
  model.listen((change) => {
    if (change === "run") {
      // Streams have other names in other files.
      const { stream: _before, ...rest } = model.filter;
      model.filter = rest;
      show();
    }
    if (change === "area") show();
  });
  show();
  return { root, focus: () => name.focus() };
}

function streamList(model: ViewModel): HTMLElement {
  const names = [...new Set((model.timeline?.lanes ?? []).map((lane) => lane.stream))].filter((name) => name !== "");
  const shown = names.sort((a, b) => a.localeCompare(b, "en", { numeric: true })).slice(0, 500);
  return dropdown(
    "Stream or thread",
    [["", "All streams"], ...shown.map((name) => [name, name] as const)],
    (stream) => {
      const { stream: _before, ...rest } = model.filter;
      model.narrow(stream === "" ? rest : { ...rest, stream });
    },
  );
}

/** The filter with a bound set, or without it where there is none. */
function withBound(filter: TableFilter, bound: "minDurationNs" | "minBytes", value: number | undefined): TableFilter {
  const { [bound]: _before, ...rest } = filter;
  return value === undefined ? rest : { ...rest, [bound]: value };
}
