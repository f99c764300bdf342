import type { ProfileOverview, TimelineCommand } from "../core/timeline/protocol.js";
import { Actions } from "./actions.js";
import { createAnnouncer } from "./announcer.js";
import { createBottomPanel } from "./bottomPanel.js";
import type { Connection } from "./connection.js";
import { createDetails } from "./details.js";
import { element } from "./element.js";
import { EventTable } from "./eventTable.js";
import { createHeader } from "./header.js";
import { Help } from "./help.js";
import { listenToKeys } from "./keys.js";
import { Pointer, steerByOverview } from "./pointer.js";
import { createSummaryTable } from "./summaryTable.js";
import { TimelineView } from "./timelineView.js";
import { Tooltip } from "./tooltip.js";
import { ViewModel } from "./viewModel.js";

/** The whole page of one profile. */
export interface ProfileView {
  readonly root: HTMLElement;
  run(command: TimelineCommand): void;
  /** Takes its listeners off the window; the element can then be dropped. */
  close(): void;
}

export function createProfileView(profile: ProfileOverview, connection: Connection): ProfileView {
  const model = new ViewModel(profile, connection.storedState, (state) => {
    connection.storedState = state;
  });
  const help = new Help();
  const timeline = new TimelineView(model, connection);
  const actions = new Actions(model, timeline, connection, () => help.toggle());
  const tooltip = new Tooltip();
  new Pointer(timeline, connection, tooltip);
  steerByOverview(timeline);
  const details = createDetails(model, {
    fit: () => actions.run("fit"),
    next: () => actions.run("nextEvent"),
    previous: () => actions.run("previousEvent"),
    go: (event) => void actions.go(event),
  });
  const table = new EventTable(model, connection, (event) => timeline.fit(event));
  // What is chosen in the table must be seen in the picture too.
  model.listen((change) => {
    if (change === "selection" && model.selected !== null && model.tab === "events") timeline.reveal(model.selected);
  });
  const header = createHeader(model, {
    zoomIn: () => actions.run("zoomIn"),
    zoomOut: () => actions.run("zoomOut"),
    fitAll: () => actions.run("fitAll"),
    help: () => actions.run("help"),
  });
  const stopKeys = listenToKeys(model, actions, help);
  const root = element(
    "div",
    { class: "page" },
    header,
    createSummaryTable(model),
    timeline.root,
    createBottomPanel(model, details, table.root),
    tooltip.root,
    help.root,
    createAnnouncer(model),
  );
  return { root, run: (command) => actions.run(command), close: stopKeys };
}
