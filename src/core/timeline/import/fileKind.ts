import { outlineJson } from "./jsonOutline.js";
import { latinText } from "./latinText.js";
import { formatOf } from "./recogniseFormat.js";
import { type FileHead, HEAD_BYTES } from "./traceFormat.js";

/** What a file is, told by its first bytes. */
export type FileKind =
  | { readonly kind: "trace" }
  /** A profile or traces that this tool saved; what, as the end of a sentence. */
  | { readonly kind: "saved"; readonly what: string }
  /** Something else: what it is, as the end of a sentence, and what to open instead. */
  | { readonly kind: "other"; readonly what: string; readonly nextStep: string; readonly isLost?: true };

/** What stands in the place of a file whose content is not there: of one that is named like a trace, a rank is missing. */
export function lost(what: string, nextStep: string): FileKind {
  return { kind: "other", what, nextStep, isLost: true };
}

/** The names that frameworks give their traces. They decide nothing but whether a file without content is a missed trace. */
export function isNamedLikeTrace(name: string): boolean {
  return /trace.*\.json(\.gz|\.zst)?$|rank[-_]?\d+.*\.json(\.gz|\.zst)?$/i.test(name);
}

const OPEN_TRACE =
  "Open the trace that export_chrome_trace or the trace handler of the profiler wrote in the same run.";
const RECORD_TRACE = "Record with torch.profiler, and open the trace that it exports.";
const OTHER_FILE = "Open a file in the Chrome trace-event format, such as the *.json.gz of torch.profiler.";

/**
 * Tells a trace from what lies beside it in the folders of profilers; `head` is decompressed where the file was compressed.
 * `name` helps only where content does not say it: reports of Nsight.
 */
export function fileKindOf(name: string, head: FileHead): FileKind {
  const format = formatOf(head);
  if (format !== undefined)
    return format.reading === "whole" ? { kind: "saved", what: format.name } : { kind: "trace" };
  const latin = latinText(head.bytes.subarray(0, 512));
  return binaryKind(name, head.bytes, latin) ?? textKind(head.bytes, latin, head.isWhole);
}

function other(what: string, nextStep: string): FileKind {
  return { kind: "other", what, nextStep };
}

const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//;

function binaryKind(name: string, head: Uint8Array, latin: string): FileKind | undefined {
  if (/\.(nsys-rep|qdrep|ncu-rep)$/i.test(name)) return other("a report of NVIDIA Nsight", RECORD_TRACE);
  if (latin.startsWith("SQLite format 3\0"))
    return other("a database, as Nsight Systems and rocprofiler write them", RECORD_TRACE);
  if (latin.startsWith("\x89PNG")) return other("a picture", OTHER_FILE);
  if (latin.startsWith("PK\x03\x04")) return other("a zip archive", "Unpack it, and open the trace in it.");
  if (latin.startsWith("\x1f\x8b") || latin.startsWith("\x28\xb5\x2f\xfd"))
    return other("compressed twice", "Unpack it once, and open what is in it.");
  if (head[0] === 0x80 && (head[1] ?? 0) >= 2 && (head[1] ?? 0) <= 5)
    return other("a Python pickle, such as a snapshot of the CUDA memory allocator", OPEN_TRACE);
  return isPerfetto(name, head)
    ? other(
        "a binary trace of Perfetto (protobuf)",
        "Export it as JSON (Chrome trace events), or record with torch.profiler.",
      )
    : undefined;
}

/** Packets follow one another, each with the tag of field 1 and its length. */
function isPerfetto(name: string, head: Uint8Array): boolean {
  if (/\.(pftrace|perfetto-trace)$/i.test(name)) return true;
  let at = 0;
  let packets = 0;
  while (at < head.length && packets < 4) {
    if (head[at] !== 0x0a) return false;
    let length = 0;
    let shift = 0;
    for (at++; at < head.length && shift < 28; shift += 7) {
      const byte = head[at++] ?? 0;
      length += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) break;
    }
    packets++;
    at += length;
  }
  return packets > 0 && hasControls(head);
}

/** No text has bytes below the tabulator. */
function hasControls(head: Uint8Array): boolean {
  return head.subarray(0, 512).some((byte) => byte < 0x09);
}

function textKind(head: Uint8Array, latin: string, isWhole: boolean): FileKind {
  if (/^(\xff\xfe|\xfe\xff)/.test(latin)) return other("a text in UTF-16", "Save it as UTF-8.");
  const text = latinText(head.subarray(0, HEAD_BYTES)).replace(/^\xef\xbb\xbf/, "");
  const first = text.trimStart()[0];
  if (first === undefined || (isWhole && text.replaceAll("\0", "").trim() === ""))
    return lost("empty", "Record it again; the job may have ended before it was written.");
  if (LFS_POINTER.test(latin))
    return lost("a pointer of Git LFS, not the file itself", "Fetch the file with `git lfs pull`.");
  if (first === "{" || first === "[") return jsonKind(text);
  if (first === "<") return htmlKind(text);
  return hasControls(head) ? other("a binary file", OTHER_FILE) : other("a text that is no JSON", OTHER_FILE);
}

function htmlKind(text: string): FileKind {
  return /<img\s+src=["']data:image\/png/i.test(text)
    ? other("a page with a picture, as torch.profiler writes its memory timeline", OPEN_TRACE)
    : other("a page in HTML", OTHER_FILE);
}

/** JSON that is no trace. */
function jsonKind(text: string): FileKind {
  const { isList, keys, first } = outlineJson(text);
  const has = (...names: readonly string[]) => names.every((name) => keys.includes(name));
  if (isList) {
    if (first === "numbers") return other("the memory timeline of torch.profiler", OPEN_TRACE);
    return other("a list without a single event", OTHER_FILE);
  }
  if (has("schema", "nodes"))
    return other("an execution trace of PyTorch (operators and tensors, without times on a device)", OPEN_TRACE);
  if (has("nodes", "startTime") || has("nodes", "samples")) return other("a CPU profile of V8", RECORD_TRACE);
  if (has("rocprofiler-sdk-tool")) return other("output of rocprofiler in a form of its own", RECORD_TRACE);
  if (has("segments", "device_traces")) return other("a snapshot of the CUDA memory allocator", OPEN_TRACE);
  if (has("shared", "profiles")) return other("a profile of speedscope", RECORD_TRACE);
  return other("JSON without trace events", OTHER_FILE);
}
