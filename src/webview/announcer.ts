import { formatNs } from "../core/timeline/quantities.js";
import { runTitle } from "../core/timeline/runFigures.js";
import { element } from "./element.js";
import { meaningOf } from "./theme.js";
import type { ViewModel } from "./viewModel.js";

/** Says selections and runs to screen readers, in the words of the details panel. */
export function createAnnouncer(model: ViewModel): HTMLElement {
  const region = element("div", { class: "for-readers", role: "status", "aria-live": "polite" });
  model.listen((change) => {
    if (change === "run") {
      const run = model.profile.result?.runs[model.run];
      region.textContent = run === undefined ? "" : runTitle(run);
    }
    if (change === "selection") region.textContent = describe(model);
  });
  return region;
}

function describe(model: ViewModel): string {
  const event = model.selected;
  if (event === null) return "Nothing selected.";
  const layer = event.layer < 0 ? "" : `, layer ${event.layer}`;
  const cause = event.waitedFor === null ? "" : `, waited for ${event.waitedFor.name}`;
  return `${event.name}, ${meaningOf(event.kind)}${layer}, starts at ${formatNs(event.startNs)}, lasts ${formatNs(event.durationNs)}${cause}.`;
}
