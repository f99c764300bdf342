import { outlineJson } from "../jsonOutline.js";
import { latinText } from "../latinText.js";
import type { StreamedFormat } from "../traceFormat.js";
import { TraceImporter } from "./traceImporter.js";

/** Members that stand before `traceEvents` in traces of the framework, in a header that can be long. */
const HEADER_MEMBERS = ["deviceProperties", "distributedInfo", "displayTimeUnit", "baseTimeNanoseconds"];

/**
 * The Chrome trace-event format, and its dialects, which the importer tells apart by what it reads: those of Kineto, which
 * PyTorch writes, and Ascend's. Reports name them `kineto`, `ascend`, or `chrome` for any other.
 */
export const chromeTrace: StreamedFormat = {
  id: "chrome",
  name: "a trace in the Chrome trace-event format",
  endings: [".json"],
  reading: "streamed",
  recognises({ bytes, isWhole }) {
    const text = latinText(bytes).replace(/^\xef\xbb\xbf/, "");
    if (!/^\s*[{[]/.test(text)) return false;
    const { isList, keys } = outlineJson(text);
    if (isList) return /"ph"\s*:\s*"/.test(text);
    return keys.includes("traceEvents") || (!isWhole && HEADER_MEMBERS.some((name) => keys.includes(name)));
  },
  createImporter: () => new TraceImporter(),
};
