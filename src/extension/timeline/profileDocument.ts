import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { fail, type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import type {
  Answer,
  EditorMessage,
  ExportRequest,
  ProfileOverview,
  Question,
} from "../../core/timeline/query/protocol.js";
import { stillLoading } from "../../core/timeline/query/stillLoading.js";
import { distinctFileNames } from "../../core/timeline/query/traceNames.js";
import type { TimelineFile } from "../../timelineWorker/messages.js";
import { TimelineThread } from "./timelineThread.js";
import { filesOf, isComparison } from "./timelineUri.js";

/** A writer may still be busy when the first change arrives. */
const RELOAD_DELAY_MS = 150;
/** Files that lie on no disk of this machine are copied first. */
const MAX_COPIED_BYTES = 2 ** 30;

export type Post = (message: EditorMessage) => void;

/** What the imports of all tabs came to since the start. */
export interface ImportCounts {
  /** How often progress was said. */
  reports: number;
  /** Imports that ended, whichever way. */
  ended: number;
}

/**
 * One editor tab's files: a thread that holds their columns, and the pages that look at them. Read on first need, read again
 * when the (first) file changes on disk.
 */
export class ProfileDocument implements vscode.CustomDocument {
  /** All files of the tab. */
  readonly uris: readonly vscode.Uri[];
  private readonly pages = new Set<Post>();
  private readonly watcher: vscode.FileSystemWatcher;
  private loaded: Outcome<ProfileOverview> | undefined;
  private thread: TimelineThread | undefined;
  private reload: ReturnType<typeof setTimeout> | undefined;
  private copies: string | undefined;
  /** Only the newest read may publish what it found. */
  private generation = 0;

  constructor(
    readonly uri: vscode.Uri,
    private readonly scriptPath: string,
    private readonly counts: ImportCounts,
  ) {
    this.uris = filesOf(uri);
    const folder = vscode.Uri.joinPath(this.firstUri, "..");
    const pattern = new vscode.RelativePattern(folder, escapeGlob(fileNameOf(this.firstUri)));
    this.watcher = vscode.workspace.createFileSystemWatcher(pattern);
    this.watcher.onDidChange(() => this.reloadSoon());
    this.watcher.onDidCreate(() => this.reloadSoon());
    // A deleted file stays readable in the tab: its columns are in memory.
  }

  get firstUri(): vscode.Uri {
    return this.uris[0] ?? this.uri;
  }

  dispose(): void {
    this.generation++;
    clearTimeout(this.reload);
    this.watcher.dispose();
    this.thread?.end(closed());
    if (this.copies !== undefined) void rm(this.copies, { recursive: true, force: true });
  }

  join(post: Post): void {
    this.pages.add(post);
    if (this.loaded !== undefined) post(describe(this.loaded));
    else if (this.thread === undefined) void this.load();
  }

  leave(post: Post): void {
    this.pages.delete(post);
  }

  ask(question: Question): Promise<Outcome<Answer>> {
    if (this.loaded?.ok === true && this.thread !== undefined) return this.thread.ask(question);
    return Promise.resolve(fail(this.loaded?.ok === false ? this.loaded.problem : stillLoading));
  }

  write(request: ExportRequest, path: string): Promise<Outcome<null>> {
    return this.thread?.write(request, path) ?? Promise.resolve(fail(stillLoading));
  }

  /** Stops reading; what was shown before is gone too, as is its thread. */
  cancel(): void {
    if (this.loaded !== undefined) return;
    this.thread?.end({
      code: "IMPORT_CANCELLED",
      message: `The import of ${fileNameOf(this.uri)} was cancelled.`,
      nextStep: "Close the tab, or open the file again to import it.",
    });
  }

  private reloadSoon(): void {
    clearTimeout(this.reload);
    this.reload = setTimeout(() => void this.load(), RELOAD_DELAY_MS);
  }

  private async load(): Promise<void> {
    const generation = ++this.generation;
    const fileName = fileNameOf(this.uri);
    this.thread?.end(closed());
    this.loaded = undefined;
    const thread = new TimelineThread(this.scriptPath, (message) => {
      if (generation !== this.generation) return;
      const { progress } = message;
      this.counts.reports++;
      this.publish({ type: "loading", fileName: message.fileName, sizeBytes: progress.ofBytes, progress });
    });
    this.thread = thread;
    this.publish({ type: "loading", fileName, sizeBytes: await sizeOf(this.firstUri) });
    const opened = await thread.open(await this.localFiles());
    this.counts.ended++;
    if (generation !== this.generation) return;
    this.loaded = opened;
    this.publish(describe(opened));
  }

  private async localFiles(): Promise<TimelineFile[]> {
    const files: TimelineFile[] = [];
    const names = distinctFileNames(this.uris.map(({ path }) => path));
    for (const [at, uri] of this.uris.entries()) {
      const fileName = names[at] ?? fileNameOf(uri);
      const path = uri.scheme === "file" ? succeed(uri.fsPath) : await this.copy(uri, files.length);
      const isAdded = isComparison(this.uri) && files.length === this.uris.length - 1;
      const read = path.ok ? { path: path.value } : { path: "", problem: path.problem };
      files.push({ fileName, ...read, isAdded });
    }
    return files;
  }

  /** Threads read files by path; one that only the editor can read is copied to a folder of its own. */
  private async copy(uri: vscode.Uri, index: number): Promise<Outcome<string>> {
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > MAX_COPIED_BYTES) return fail(tooFar(fileNameOf(uri), size));
      this.copies ??= await mkdtemp(join(tmpdir(), "offload-lens-"));
      const path = join(this.copies, `${index}-${fileNameOf(uri).replace(/[^\w.-]/g, "_")}`);
      await writeFile(path, await vscode.workspace.fs.readFile(uri));
      return succeed(path);
    } catch (reason) {
      return fail(unreadable(fileNameOf(uri), reason));
    }
  }

  private publish(message: EditorMessage): void {
    for (const post of this.pages) post(message);
  }
}

function describe(loaded: Outcome<ProfileOverview>): EditorMessage {
  return loaded.ok ? { type: "profile", profile: loaded.value } : { type: "problem", problem: loaded.problem };
}

export function fileNameOf(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf("/") + 1);
}

async function sizeOf(uri: vscode.Uri): Promise<number | null> {
  try {
    return (await vscode.workspace.fs.stat(uri.with({ query: "" }))).size;
  } catch {
    // Whoever reads the file says what is wrong with it.
    return null;
  }
}

/** A file name as a pattern that matches only itself. */
function escapeGlob(name: string): string {
  return name.replace(/[[\]{}*?]/g, "[$&]");
}

function closed(): Problem {
  return { code: "PROFILE_REPLACED", message: "The file changed.", nextStep: "Wait for the new timeline." };
}

function tooFar(fileName: string, sizeBytes: number): Problem {
  return {
    code: "PROFILE_TOO_LARGE",
    message: `${fileName} is too large to open from here.`,
    cause: `It has ${sizeBytes} bytes and lies on no disk of the machine that runs the extension.`,
    nextStep: "Copy it to that machine and open the copy.",
  };
}

function unreadable(fileName: string, reason: unknown): Problem {
  return {
    code: "PROFILE_UNREADABLE",
    message: `${fileName} cannot be read.`,
    cause: reason instanceof Error ? reason.message : String(reason),
    nextStep: "Check that the file still exists and that you may read it, then open it again.",
  };
}
