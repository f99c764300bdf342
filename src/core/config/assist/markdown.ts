import { visibleLine } from "../../base/visibleText.js";

/** Inline code of Markdown, whatever the text holds. */
export function code(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 || text.trim() === "" ? " " : "";
  return `${fence}${pad}${visibleLine(text.replace(/[\r\n]+/g, " "))}${pad}${fence}`;
}

/** Text that Markdown shows as it is. */
export function escapeMarkdown(text: string): string {
  return visibleLine(text).replace(/[\\`*_[\]|<~]/g, (letter) => `\\${letter}`);
}
