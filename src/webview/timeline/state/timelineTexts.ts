import { element } from "../../kit/element.js";

/** What a screen reader says of the canvas beside its name; the canvas refers to it. */
export function createHelpText(): HTMLElement {
  return element(
    "p",
    { id: "timeline-help", class: "for-readers" },
    "The events tab below lists the same events as a table. Full stop and comma move to the next and previous event; question mark lists all keys.",
  );
}

/** Shown where a run was not recorded: what to do about it. */
export function createAbsent(): HTMLElement {
  return element(
    "div",
    { class: "absent" },
    element("strong", {}, "No timeline was recorded for this run."),
    element("span", {}, "Choose another run above, or profile again with this strategy."),
  );
}
