import { UNKNOWN_MARK } from "../hydra/value.js";
import type { ExpandedWord } from "./scope.js";
import { traceText } from "./tracedText.js";

type Script = ExpandedWord["pieces"];

interface Trap {
  /** `EXIT`, or a signal without its `SIG`. */
  readonly signal: string;
  readonly script: Script;
}

/** A script that runs where the shell ends, or at a signal. */
export interface DueTrap {
  readonly script: Script;
  readonly isOfExit: boolean;
}

/** The traps that a shell has set, as `trap SCRIPT SIGNAL…` says; those of branches beside each other. */
export class Traps {
  #set: Trap[] = [];

  /** Takes the arguments of one `trap`. What only the run can tell is not followed. */
  set(args: readonly ExpandedWord[], isInBranch: boolean): void {
    const words = args.map((word) => traceText(word.pieces).text);
    const at = words[0] === "--" ? 1 : 0;
    const [script, ...signals] = words.slice(at);
    if (script === undefined || (at === 0 && /^-./.test(script))) return;
    const isReset = signals.length === 0 || script === "-" || script === "";
    const named = new Set((signals.length === 0 ? [script] : signals).map(signalName));
    if (!isInBranch) this.#set = this.#set.filter(({ signal }) => !named.has(signal));
    if (isReset || script === UNKNOWN_MARK) return;
    for (const signal of named) this.#set.push({ signal, script: args[at]?.pieces ?? [] });
  }

  /** Every trap that is set, that of the exit last; none is set afterwards. */
  take(): readonly DueTrap[] {
    const due = this.#set.map(({ signal, script }) => ({ script, isOfExit: signal === "EXIT" }));
    this.#set = [];
    return [...due.filter(({ isOfExit }) => !isOfExit), ...due.filter(({ isOfExit }) => isOfExit)];
  }
}

function signalName(word: string): string {
  const name = word.toUpperCase().replace(/^SIG/, "");
  return name === "0" ? "EXIT" : name;
}

/** What `eval` reads: its words with blanks between them. */
export function joinedScript(words: readonly ExpandedWord[]): Script {
  return words.flatMap(({ pieces, span }, index) =>
    index === 0
      ? pieces
      : [{ kind: "text", text: " ", start: span.start, end: span.start, quoting: "double" }, ...pieces],
  );
}
