import type { Dirent } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fail, type Outcome, succeed } from "../core/base/outcome.js";
import { type FileKind, fileKindOf, isNamedLikeTrace, lost } from "../core/timeline/import/fileKind.js";
import type { OtherFile, TraceFolder } from "../core/timeline/import/folderNotes.js";
import { compressionOf, decompressedHead, RAW_HEAD_BYTES } from "./fileHead.js";
import { attempt, readRange } from "./nodeFiles.js";

/** Trees of profilers are not deeper: a folder per step, role, rank, and what Ascend puts below. */
const MAX_DEPTH = 8;
/** So many files whose names are not like those of traces are opened. */
const MAX_UNLIKELY = 5_000;
/** So many files are listed. */
const MAX_LISTED = 200_000;

/**
 * Looks for traces in a folder and below it, by what the first bytes of each file are and not by names: every framework has its own.
 * Names decide only what is left out where there are too many files. Hidden folders are left out, and what Ascend keeps as raw data
 * beside its output. Fails only where the folder itself cannot be listed.
 */
export async function findTraces(shown: string, path: string, signal?: AbortSignal): Promise<Outcome<TraceFolder>> {
  const listing = new Listing(shown, path, signal);
  const listed = await listing.walk("", 0);
  if (!listed.ok) return fail(listed.problem);
  const traces: string[] = [];
  const others: OtherFile[] = [...listing.closedFolders];
  let unlikely = 0;
  for (const file of listing.files) {
    if (signal?.aborted === true) break;
    if (!isNamedLikeTrace(basename(file)) && ++unlikely > MAX_UNLIKELY) continue;
    const other = await lookAt(join(path, file), basename(file));
    if (other === "trace") traces.push(file);
    else others.push({ path: file, ...other });
  }
  const unopened = Math.max(0, unlikely - MAX_UNLIKELY);
  const twins = await linksToListed(path, traces);
  for (const twin of twins) others.push({ path: twin, ...TWIN });
  const single = traces.filter((file) => !twins.has(file)).sort(byNumbersInName);
  return succeed({ traces: single, others, isCut: listing.isCut, unopened });
}

const TWIN = {
  what: "a link to a trace that is listed already",
  nextStep: "Open the trace itself.",
};

/** Links to files that are listed under another name, too: a rank counts once. */
async function linksToListed(path: string, files: readonly string[]): Promise<ReadonlySet<string>> {
  const root = await attempt(path, () => realpath(path));
  const placesOf = new Map<string, string[]>();
  for (const file of files) {
    const real = await attempt(file, () => realpath(join(path, file)));
    if (real.ok) placesOf.set(real.value, [...(placesOf.get(real.value) ?? []), file]);
  }
  const twins = [...placesOf].flatMap(([real, places]) => {
    const kept = places.find((file) => root.ok && join(root.value, file) === real) ?? places[0];
    return places.filter((file) => file !== kept);
  });
  return new Set(twins);
}

/** The files of a folder and below it, by path; bounded, and without going round in circles. */
class Listing {
  /** Relative to the folder. */
  readonly files: string[] = [];
  readonly closedFolders: OtherFile[] = [];
  /** There is more than was listed. */
  isCut = false;
  readonly #seen = new Set<string>();

  constructor(
    private readonly shown: string,
    private readonly path: string,
    private readonly signal: AbortSignal | undefined,
  ) {}

  async walk(relative: string, depth: number): Promise<Outcome<null>> {
    const folder = join(this.path, relative);
    const listed = await attempt(relative === "" ? this.shown : join(this.shown, relative), async () => {
      const real = await realpath(folder);
      // Links may lead back to where they stand.
      if (this.#seen.has(real)) return [];
      this.#seen.add(real);
      return (await readdir(folder, { withFileTypes: true })).sort((a, b) => byNumbersInName(a.name, b.name));
    });
    if (!listed.ok) return listed;
    const names = listed.value.map(({ name }) => name);
    const folders: string[] = [];
    for (const entry of listed.value) {
      if (this.signal?.aborted === true) return succeed(null);
      const below = join(relative, entry.name);
      if (await this.#isFolder(entry, below)) {
        if (!isLeftOut(entry.name, names)) folders.push(below);
      } else if (this.files.length < MAX_LISTED) this.files.push(below);
      else this.isCut = true;
    }
    if (depth >= MAX_DEPTH) this.isCut ||= folders.length > 0;
    else for (const below of folders) await this.#walkBelow(below, depth + 1);
    return succeed(null);
  }

  async #walkBelow(below: string, depth: number): Promise<void> {
    const walked = await this.walk(below, depth);
    if (walked.ok) return;
    this.closedFolders.push({ path: below, what: "a folder that cannot be listed", nextStep: walked.problem.nextStep });
  }

  /** Links count as what they lead to. */
  async #isFolder(entry: Dirent, below: string): Promise<boolean> {
    if (!entry.isSymbolicLink()) return entry.isDirectory();
    const found = await attempt(entry.name, () => stat(join(this.path, below)));
    return found.ok && found.value.isDirectory();
  }
}

/** What a file is, if it is no trace. One whose name is that of a trace stays one if its content is lost, so that this is said. */
async function lookAt(path: string, name: string): Promise<"trace" | Omit<OtherFile, "path">> {
  const found = await attempt(name, () => stat(path));
  if (!found.ok) return isNamedLikeTrace(name) ? "trace" : whyMissing(path);
  const kind = await kindOf(path, name);
  if (kind.kind === "trace") return "trace";
  if (kind.kind !== "other") return { what: kind.what, nextStep: "Open it by its name." };
  if (kind.isLost === true && isNamedLikeTrace(name)) return "trace";
  return { what: kind.what, nextStep: kind.nextStep };
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
