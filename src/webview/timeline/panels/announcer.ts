import { formatNs } from "../../../core/base/quantities.js";
import { element, setText } from "../../kit/element.js";
import { runName } from "../state/runNames.js";
import type { ViewModel } from "../state/viewModel.js";
import { meaningOf } from "../theme.js";

/** A live region that tells screen readers of selections, runs and results, in the words of the panels. */
export class Announcer {
  readonly root = element("div", { class: "for-readers", role: "status", "aria-live": "polite" });

  constructor(model: ViewModel) {
    model.listen((change) => {
      if (change === "run") this.say(runName(model.profile, model.run));
      if (change === "selection") this.say(describe(model));
      if (change === "area" && model.area !== null)
        this.say(`Selected ${formatNs(model.area.toNs - model.area.fromNs)} from ${formatNs(model.area.fromNs)}.`);
      if (change === "lanes") this.say(model.isStacked ? "All runs side by side." : "Lanes arranged.");
    });
  }

  say(text: string): void {
    setText(this.root, text);
  }
}

/** Nobody listens to more of a name. */
const MOST_SPOKEN = 200;

function describe(model: ViewModel): string {
  const event = model.selected;
  if (event === null) return "Nothing selected.";
  const layer = event.layer < 0 ? "" : `, layer ${event.layer}`;
  const cause = event.waitedFor === null ? "" : `, waited for ${event.waitedFor.name.slice(0, MOST_SPOKEN)}`;
  return `${event.name.slice(0, MOST_SPOKEN)}, ${meaningOf(event.kind)}${layer}, starts at ${formatNs(event.startNs)}, lasts ${formatNs(event.durationNs)}${cause}.`;
}
