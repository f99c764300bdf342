import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { fail, type Outcome, succeed } from "../core/base/outcome.js";
import { type FileKind, fileKindOf, isNamedLikeTrace, lost } from "../core/timeline/import/fileKind.js";
import type { OtherFile, TraceFolder } from "../core/timeline/import/folderNotes.js";
import { compressionOf, decompressedHead, RAW_HEAD_BYTES } from "./fileHead.js";
import { attempt, readRange } from "./nodeFiles.js";

/** Trees of profilers are not deeper: a folder per step, role, rank, and what Ascend puts below. */
const MAX_DEPTH = 8;
/** So many files of a folder are looked at. */
const MAX_FILES = 5_000;

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
      if (!found.ok) {
        if (isNamedLikeTrace(name)) traces.push(below);
        else others.push({ path: below, ...(await whyMissing(join(path, below))) });
        continue;
      }
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
      else others.push({ path: below, what: kind.what, nextStep: "Open it by its name." });
    }
    if (depth >= MAX_DEPTH) isCut ||= folders.length > 0;
    else for (const below of folders) await walkBelow(below, depth + 1);
    return succeed(null);
  };
  const walkBelow = async (below: string, depth: number): Promise<void> => {
    const walked = await walk(below, depth);
    if (!walked.ok)
      others.push({ path: below, what: "a folder that cannot be listed", nextStep: walked.problem.nextStep });
  };
  const walked = await walk("", 0);
  if (!walked.ok) return fail(walked.problem);
  return succeed({ traces: traces.sort(byNumbersInName), others, isCut });
}

/** What the first bytes of a file say; of one that cannot be read, that. */
export async function kindOf(path: string, name: string): Promise<FileKind> {
  const read = await attempt(path, () => readRange(path, 0, RAW_HEAD_BYTES));
  if (!read.ok) {
    const { cause, nextStep } = read.problem;
    return lost(`unreadable${cause === undefined ? "" : `: ${cause.replace(/\.$/, "")}`}`, nextStep);
  }
  const raw = read.value;
  const compression = compressionOf(raw);
  // Whoever reads a zstd file says whether this Node can.
  if (compression === "zstd")
    return /\.json\.zst$/i.test(name)
      ? { kind: "trace" }
      : { kind: "other", what: "a zstd file", nextStep: "Decompress it, and look again." };
  if (compression === undefined) return fileKindOf(name, { bytes: raw, isWhole: raw.length < RAW_HEAD_BYTES });
  const head = decompressedHead(raw, compression);
  return head === undefined
    ? lost("a broken gzip file", "Copy or record it again.")
    : fileKindOf(name.replace(/\.gz$/i, ""), head);
}

/** What is listed in a folder and still cannot be found: its target is elsewhere, or its name has bytes that are no UTF-8. */
async function whyMissing(path: string): Promise<Omit<OtherFile, "path">> {
  const isLink = (await attempt(path, () => lstat(path))).ok;
  return isLink
    ? { what: "a link that leads nowhere", nextStep: "Fetch the file behind it, such as with `git annex get`." }
    : { what: "a name that is no UTF-8", nextStep: "Rename it." };
}

/** Hidden folders, and Ascend's raw data (`PROF_…`, `FRAMEWORK`) beside the traces that were made of it. */
function isLeftOut(name: string, beside: readonly string[]): boolean {
  if (name.startsWith(".") || name === "__pycache__" || name === "node_modules") return true;
  return beside.includes("ASCEND_PROFILER_OUTPUT") && /^(PROF_|FRAMEWORK$)/.test(name);
}

function byNumbersInName(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
