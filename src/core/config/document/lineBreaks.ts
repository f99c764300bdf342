/**
 * A lone carriage return ends a line for the Python loaders, as for YAML itself, but not for the parser used here. The text with
 * line feeds in their places: every offset stays the same.
 */
export function withLineFeeds(text: string): string {
  return text.includes("\r") ? text.replace(/\r(?!\n)/g, "\n") : text;
}

/** True for a text of several lines that end with carriage returns alone. */
export function endsLinesWithReturns(text: string): boolean {
  return text.includes("\r") && !text.includes("\n");
}

/** New text for such a file. */
export function withReturns(text: string): string {
  return text.replace(/\r?\n/g, "\r");
}
