import { withSpansMoved } from "./lineReturns.js";
import { parseShell } from "./parseShell.js";
import type { Node, SubstitutedCommands } from "./syntax.js";
import type { Piece } from "./tracedText.js";

/** The commands of `$( … )`, at their places in the text around it. */
export function placedNodes({ text, span: { start } }: SubstitutedCommands): readonly Node[] {
  return withSpansMoved(parseShell(text), (span) => ({ start: span.start + start, end: span.end + start }));
}

/** The text between backticks as the shell reads it. */
export function unescaped({ text, span, escapable = "" }: SubstitutedCommands): readonly Piece[] {
  return Array.from(text.matchAll(/\\[\s\S]?|[^\\]+/g), ({ 0: written, index }) => {
    const start = span.start + index;
    const isEscape = written[0] === "\\" && written.length === 2 && escapable.includes(written[1] ?? "");
    return {
      kind: "text",
      text: isEscape ? written.slice(1) : written,
      start,
      end: start + written.length,
      quoting: isEscape ? "escaped" : "none",
    } as const;
  });
}
