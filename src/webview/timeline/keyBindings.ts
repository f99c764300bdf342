import type { TimelineCommand } from "../../core/timeline/query/protocol.js";

/** A key as it is found on the keyboard (`KeyboardEvent.code`), so that W A S D lie together on every layout. */
interface Binding {
  readonly code: string;
  readonly shift?: boolean;
  readonly command: TimelineCommand;
  readonly shown: string;
  readonly does: string;
}

/** All keys of the page; the help overlay is made from this list. */
export const BINDINGS: readonly Binding[] = [
  { code: "KeyW", command: "zoomIn", shown: "W", does: "Zoom in (also Ctrl + wheel, pinch)" },
  { code: "KeyS", command: "zoomOut", shown: "S", does: "Zoom out" },
  { code: "KeyA", command: "panLeft", shown: "A", does: "Move left (also Shift + drag, Shift + wheel)" },
  { code: "KeyD", command: "panRight", shown: "D", does: "Move right" },
  { code: "KeyF", command: "fit", shown: "F", does: "Fit the selection, else everything" },
  { code: "KeyF", shift: true, command: "fitAll", shown: "Shift F", does: "Show everything" },
  { code: "Period", command: "nextEvent", shown: ".", does: "Next event of the lane" },
  { code: "Comma", command: "previousEvent", shown: ",", does: "Previous event of the lane" },
  { code: "KeyK", command: "laneAbove", shown: "K", does: "Nearest event one lane up" },
  { code: "KeyJ", command: "laneBelow", shown: "J", does: "Nearest event one lane down" },
  { code: "KeyR", command: "selectTime", shown: "R", does: "Select the time of the event (also drag)" },
  { code: "KeyM", command: "mark", shown: "M", does: "Mark the pointer's or the event's time" },
  { code: "KeyM", shift: true, command: "clearMarks", shown: "Shift M", does: "Remove all marks" },
  { code: "BracketRight", command: "nextMark", shown: "]", does: "Next mark" },
  { code: "BracketLeft", command: "previousMark", shown: "[", does: "Previous mark" },
  { code: "KeyN", command: "nextMatch", shown: "N", does: "Next event that passes the filter" },
  { code: "KeyN", shift: true, command: "previousMatch", shown: "Shift N", does: "Previous event that passes it" },
  { code: "KeyP", command: "pinLane", shown: "P", does: "Pin or unpin the lane" },
  { code: "KeyZ", command: "foldLane", shown: "Z", does: "Fold or unfold the lane" },
  { code: "KeyK", shift: true, command: "moveLaneUp", shown: "Shift K", does: "Move the lane up" },
  { code: "KeyJ", shift: true, command: "moveLaneDown", shown: "Shift J", does: "Move the lane down" },
  { code: "KeyB", command: "sideBySide", shown: "B", does: "All runs or ranks side by side" },
  { code: "KeyI", command: "showDetails", shown: "I", does: "Details of the selection" },
  { code: "KeyE", command: "showEvents", shown: "E", does: "Events as a table" },
  { code: "KeyT", command: "showMetrics", shown: "T", does: "Metrics of the selected time, else of everything" },
  { code: "KeyX", command: "showCompare", shown: "X", does: "Compare two runs or files" },
  { code: "KeyU", command: "showReport", shown: "U", does: "Import report of a trace" },
  { code: "KeyG", command: "toggleFindings", shown: "G", does: "Show or hide the findings" },
  { code: "KeyV", command: "nextFinding", shown: "V", does: "Next finding" },
  { code: "KeyV", shift: true, command: "previousFinding", shown: "Shift V", does: "Previous finding" },
  { code: "KeyC", command: "toggleSummary", shown: "C", does: "Show or hide the table of all runs" },
  { code: "KeyY", command: "copy", shown: "Y", does: "Copy the selection as text" },
  {
    code: "KeyP",
    shift: true,
    command: "savePicture",
    shown: "Shift P",
    does: "Save what is on the screen as a picture",
  },
  {
    code: "KeyE",
    shift: true,
    command: "exportCsv",
    shown: "Shift E",
    does: "Save the events that pass the filter as CSV",
  },
  {
    code: "KeyT",
    shift: true,
    command: "exportChrome",
    shown: "Shift T",
    does: "Save this timeline as a Chrome trace",
  },
  {
    code: "KeyO",
    shift: true,
    command: "exportProfile",
    shown: "Shift O",
    does: "Save all timelines of traces as .offload",
  },
  { code: "KeyX", shift: true, command: "addFile", shown: "Shift X", does: "Compare with a file" },
  { code: "Escape", command: "clearSelection", shown: "Esc", does: "Close this help, else clear the selection" },
];

/** Keys that go by their letter, because where they lie depends on the layout. */
export const BY_LETTER: Readonly<Record<string, TimelineCommand>> = { "?": "help", "/": "search" };
