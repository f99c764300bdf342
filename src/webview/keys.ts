import type { TimelineCommand } from "../core/timeline/protocol.js";
import type { Actions } from "./actions.js";
import { takesKeys } from "./controls.js";
import type { ViewModel } from "./viewModel.js";

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
  { code: "KeyA", command: "panLeft", shown: "A", does: "Move left (also drag, Shift + wheel)" },
  { code: "KeyD", command: "panRight", shown: "D", does: "Move right" },
  { code: "KeyF", command: "fit", shown: "F", does: "Fit the selected event, else the whole step" },
  { code: "KeyF", shift: true, command: "fitAll", shown: "Shift F", does: "Show the whole step" },
  { code: "Period", command: "nextEvent", shown: ".", does: "Next event of the lane" },
  { code: "Comma", command: "previousEvent", shown: ",", does: "Previous event of the lane" },
  { code: "KeyK", command: "laneAbove", shown: "K", does: "Nearest event one lane up" },
  { code: "KeyJ", command: "laneBelow", shown: "J", does: "Nearest event one lane down" },
  { code: "KeyI", command: "showDetails", shown: "I", does: "Details of the selection" },
  { code: "KeyE", command: "showEvents", shown: "E", does: "Events as a table" },
  { code: "KeyC", command: "toggleSummary", shown: "C", does: "Show or hide the table of all runs" },
  { code: "Escape", command: "clearSelection", shown: "Esc", does: "Close this help, else clear the selection" },
];

/** Listens on the whole page, except where a control takes text. Digits choose a run. Returns how to stop. */
export function listenToKeys(
  model: ViewModel,
  actions: Actions,
  help: { readonly isOpen: boolean; close(): void },
): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || takesKeys(event)) return;
    if (event.code === "Escape" && help.isOpen) {
      help.close();
      return;
    }
    // Where the question mark lies depends on the layout, so this one goes by its letter.
    if (event.key === "?") {
      actions.run("help");
      return;
    }
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (digit !== undefined && !event.shiftKey) {
      model.showRun(Number(digit) - 1);
      return;
    }
    const binding = BINDINGS.find(({ code, shift }) => code === event.code && (shift ?? false) === event.shiftKey);
    if (binding === undefined) return;
    event.preventDefault();
    actions.run(binding.command);
  };
  window.addEventListener("keydown", onKey);
  return () => window.removeEventListener("keydown", onKey);
}
