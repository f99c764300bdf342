import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { fail, type Outcome, succeed } from "../core/base/outcome.js";
import { type FileKind, fileKindOf, HEAD_BYTES, isNamedLikeTrace, lost } from "../core/timeline/import/fileKind.js";
import type { OtherFile, TraceFolder } from "../core/timeline/import/folderNotes.js";
import { attempt, readRange } from "./nodeFiles.js";

/** Trees of profilers are not deeper: a folder per step, role, rank, and what Ascend puts below. */
const MAX_DEPTH = 8;
/** So many files of a folder are looked at. */
const MAX_FILES = 5_000;
/** What is read of one; no compression makes more of it than `MOST_INFLATED`. */
const RAW_BYTES = 16 * 1024;
const MOST_INFLATED = 32 * 2 ** 20;

/**
 * Looks for traces in a folder and below it, by what the first bytes of each file are and not by names: every framework has its own.
 * Hidden folders are left out, and what Ascend keeps as raw data beside its output. Fails only where the folder itself cannot be listed.
 */
export async function findTraces(shown: string, path: string, signal?: AbortSignal): Promise<Outcome<TraceFolder>> {
  const traces: string[] = [];
  const others: OtherFile[] = [];
  const seen = new Set<string>();
  let looked = 0;
  let isCut = false;
  const walk = async (relative: string, depth: number): Promise<Outcome<null>> => {
    const folder = join(path, relative);
    const listed = await attempt(relative === "" ? shown : join(shown, relative), async () => {
      const real = await realpath(folder);
      // Links may lead back to where they stand.
      if (seen.has(real)) return [];
      seen.add(real);
      return (await readdir(folder)).sort(byNumbersInName);
    });
    if (!listed.ok) return listed;
    const names = listed.value;
    const folders: string[] = [];
    for (const name of names) {
      if (signal?.aborted === true) return succeed(null);
      const below = join(relative, name);
      const found = await attempt(name, () => stat(join(path, below)));
      if (!found.ok) continue;
      if (found.value.isDirectory()) {
        if (!isLeftOut(name, names)) folders.push(below);
        continue;
      }
      if (looked >= MAX_FILES) {
        isCut = true;
        break;
      }
      looked++;
      const kind = await kindOf(join(path, below), name);
      if (kind.kind === "trace" || (kind.kind === "other" && kind.isLost === true && isNamedLikeTrace(name)))
        traces.push(below);
      else if (kind.kind === "other") others.push({ path: below, what: kind.what, nextStep: kind.nextStep });
      else others.push({ path: below, what: SAVED, nextStep: "Open it by its name." });
    }
    if (depth >= MAX_DEPTH) isCut ||= folders.length > 0;
    else for (const below of folders) await walk(below, depth + 1);
    return succeed(null);
  };
  const walked = await walk("", 0);
  if (!walked.ok) return fail(walked.problem);
  return succeed({ traces: traces.sort(byNumbersInName), others, isCut });
}

const SAVED = "a profile or traces that this tool saved";

/** What the first bytes of a file say; of one that cannot be read, that. */
export async function kindOf(path: string, name: string): Promise<FileKind> {
  const read = await attempt(path, () => readRange(path, 0, RAW_BYTES));
  if (!read.ok) {
    const { cause, nextStep } = read.problem;
    return lost(`unreadable${cause === undefined ? "" : `: ${cause.replace(/\.$/, "")}`}`, nextStep);
  }
  const raw = read.value;
  const isWhole = raw.length < RAW_BYTES;
  // Whoever reads a zstd file says whether this Node can.
  if (raw.length >= 4 && Buffer.from(raw).readUInt32LE(0) === 0xfd2fb528)
    return /\.json\.zst$/i.test(name)
      ? { kind: "trace" }
      : { kind: "other", what: "a zstd file", nextStep: "Decompress it, and look again." };
  if (raw[0] !== 0x1f || raw[1] !== 0x8b) return fileKindOf(name, raw, isWhole);
  const text = inflated(raw);
  if (text === undefined || (text.length === 0 && !isWhole))
    return lost("a broken gzip file", "Copy or record it again.");
  return fileKindOf(name.replace(/\.gz$/i, ""), text.subarray(0, HEAD_BYTES), isWhole && text.length <= HEAD_BYTES);
}

function inflated(raw: Uint8Array): Uint8Array | undefined {
  try {
    return zlib.gunzipSync(raw, { finishFlush: zlib.constants.Z_SYNC_FLUSH, maxOutputLength: MOST_INFLATED });
  } catch {
    return undefined;
  }
}

/** Hidden folders, and Ascend's raw data (`PROF_…`, `FRAMEWORK`) beside the traces that were made of it. */
function isLeftOut(name: string, beside: readonly string[]): boolean {
  if (name.startsWith(".") || name === "__pycache__" || name === "node_modules") return true;
  return beside.includes("ASCEND_PROFILER_OUTPUT") && /^(PROF_|FRAMEWORK$)/.test(name);
}

function byNumbersInName(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
