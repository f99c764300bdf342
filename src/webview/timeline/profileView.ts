import type { Outcome } from "../../core/base/outcome.js";
import { moveKey, setFolded, togglePinned } from "../../core/timeline/columns/laneOrder.js";
import type { ProfileOverview, TimelineCommand } from "../../core/timeline/query/protocol.js";
import { element } from "../kit/element.js";
import { Toast } from "../kit/toast.js";
import { Tooltip } from "../kit/tooltip.js";
import { Actions } from "./actions.js";
import type { Connection } from "./connection.js";
import { listenToKeys } from "./keys.js";
import { Announcer } from "./panels/announcer.js";
import { createBottomPanel } from "./panels/bottomPanel.js";
import { ComparePanel } from "./panels/comparePanel.js";
import { createDetails } from "./panels/details.js";
import { EventTable } from "./panels/eventTable.js";
import { Exports } from "./panels/exports.js";
import { createFindingsPanel } from "./panels/findingsPanel.js";
import { createHeader } from "./panels/header.js";
import { Help } from "./panels/help.js";
import { HoverText } from "./panels/hoverText.js";
import { LaneGutter } from "./panels/laneGutter.js";
import { MetricsPanel } from "./panels/metricsPanel.js";
import { steerByOverview } from "./panels/overviewSteering.js";
import { createReportPanel } from "./panels/reportPanel.js";
import { createSummaryTable } from "./panels/summaryTable.js";
import { createRemarks, createUnreadFiles } from "./panels/unreadFiles.js";
import { Pointer } from "./pointer.js";
import { FindingsData } from "./state/findingsData.js";
import { ViewModel } from "./state/viewModel.js";
import { TimelineView } from "./timelineView.js";

/** The whole page of one file. */
export interface ProfileView {
  readonly root: HTMLElement;
  run(command: TimelineCommand): void;
  /** What became of a file that the page asked for. */
  tellExported(outcome: Outcome<{ readonly path: string } | null>): void;
  /** Takes its listeners off the window; the element can then be dropped. */
  close(): void;
}

export function createProfileView(profile: ProfileOverview, connection: Connection): ProfileView {
  const model = new ViewModel(profile, connection.storedState, (state) => {
    connection.storedState = state;
  });
  const help = new Help();
  const tooltip = new Tooltip();
  const toast = new Toast();
  const announcer = new Announcer(model);
  const say = (text: string) => {
    announcer.say(text);
    toast.show(text);
  };
  const findings = new FindingsData(model, connection);
  findings.listen(() => {
    if ((findings.current?.findings.length ?? 0) > 0) model.offerSide();
  });
  const timeline = new TimelineView(model, connection, findings);
  const exports = new Exports(model, timeline, connection, say);
  const actions = new Actions(model, timeline, connection, findings, exports, {
    toggleHelp: () => help.toggle(),
    focusSearch: () => {
      model.showTab("events");
      table.focusSearch();
    },
    announce: say,
  });
  const run = (command: TimelineCommand) => actions.run(command);
  const table = new EventTable(
    model,
    connection,
    (event) => timeline.fit(event),
    (step) => void actions.match(step),
  );
  new Pointer(timeline, connection, new HoverText(model, connection, tooltip));
  steerByOverview(timeline);
  createGutter(model, timeline);
  // What is chosen in the table must be seen in the picture too.
  model.listen((change) => {
    if (change === "selection" && model.selected !== null && model.tab === "events") timeline.reveal(model.selected);
  });
  const closing = new AbortController();
  const stopKeys = listenToKeys(model, actions, help);
  const stopCopying = exports.listenToCopy();
  const bottom = createBottomPanel(model, {
    details: createDetails(model, {
      fit: () => run("fit"),
      next: () => run("nextEvent"),
      previous: () => run("previousEvent"),
      go: (event) => void actions.go(event),
    }),
    events: table.root,
    metrics: new MetricsPanel(model, connection).root,
    compare: new ComparePanel(model, connection, () => run("addFile")).root,
    report: createReportPanel(model),
  });
  bottom.append(toast.root);
  const side = createFindingsPanel(model, findings, {
    show: (at) => (model.finding === at ? model.pointAtFinding(null) : void actions.showFinding(at)),
    go: (event) => void actions.go(event),
    showSetting: (key) => connection.tell({ type: "showSetting", key }),
  });
  const root = element(
    "main",
    { class: "page" },
    createHeader(model, run, closing.signal),
    ...createUnreadFiles(profile),
    ...createRemarks(profile),
    ...(profile.result === null ? [] : [createSummaryTable(model)]),
    element("div", { class: "middle" }, timeline.root, side),
    bottom,
    tooltip.root,
    help.root,
    announcer.root,
  );
  void actions.restoreSelection();
  const close = () => {
    closing.abort();
    stopKeys();
    stopCopying();
    timeline.close();
  };
  return { root, run, tellExported: (outcome) => exports.tellOutcome(outcome), close };
}

function createGutter(model: ViewModel, timeline: TimelineView): void {
  new LaneGutter(timeline, {
    pin: (key) => model.arrange(togglePinned(model.arrangement, key)),
    fold: (key, isFolded) => model.arrange(setFolded(model.arrangement, key, isFolded)),
    move: (key, by) => {
      const keys = (timeline.geometry?.lanes ?? []).filter((lane) => lane.run === model.run).map((lane) => lane.key);
      model.arrange(moveKey(keys, model.arrangement, key, by));
    },
  });
}
