import { takesKeys } from "../kit/controls.js";
import type { Actions } from "./actions.js";
import { BINDINGS, BY_LETTER } from "./keyBindings.js";
import type { ViewModel } from "./state/viewModel.js";

/** Listens on the whole page, except where a control takes text. Digits choose a run. Returns how to stop. */
export function listenToKeys(
  model: ViewModel,
  actions: Actions,
  help: { readonly isOpen: boolean; close(): void },
): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || takesKeys(event)) return;
    if (help.isOpen) {
      if (event.code === "Escape" || event.key === "?") help.close();
      return;
    }
    const byLetter = Object.hasOwn(BY_LETTER, event.key) ? BY_LETTER[event.key] : undefined;
    if (byLetter !== undefined) {
      event.preventDefault();
      actions.run(byLetter);
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
