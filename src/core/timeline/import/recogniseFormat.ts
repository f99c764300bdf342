import { chromeTrace } from "./chrome/format.js";
import { FORMATS } from "./registry.js";
import type { FileHead, StreamedFormat, TraceFormat, WholeFormat } from "./traceFormat.js";

/** The format that a file begins like; `undefined` where none does. `head` as it lies in the file, or decompressed. */
export function formatOf(head: FileHead): TraceFormat | undefined {
  return FORMATS.find((format) => format.recognises(head));
}

/** The format of a file that is read at once, by its bytes, else by its name; `undefined` where it is read in pieces. */
export function wholeFormatOf(name: string, head: FileHead): WholeFormat | undefined {
  const found = formatOf(head);
  if (found?.reading === "whole") return found;
  return FORMATS.find(
    (format): format is WholeFormat =>
      format.reading === "whole" && format.endings.some((ending) => name.endsWith(ending)),
  );
}

/**
 * The format of a file that is read in pieces; `head` is decompressed. What begins like none is read as Chrome trace events: that
 * importer reads past damage, and says why a text is no trace.
 */
export function streamedFormatOf(head: FileHead): StreamedFormat {
  const found = formatOf(head);
  return found?.reading === "streamed" ? found : chromeTrace;
}

/** How streamed files may be compressed. */
export const COMPRESSED_ENDINGS: readonly string[] = [".gz", ".zst"];

/** What a dialog that asks for a trace offers: the last part of each ending, without its dot. */
export function offeredExtensions(): string[] {
  const endings = [...FORMATS.flatMap((format) => format.endings), ...COMPRESSED_ENDINGS];
  return [...new Set(endings.map((ending) => ending.slice(ending.lastIndexOf(".") + 1)))];
}
