import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { fail, type Outcome, type Problem } from "../core/outcome.js";
import { readContainer } from "../core/profile/readContainer.js";
import { answerQuestion } from "../core/timeline/answers.js";
import { type IndexedProfile, indexProfile, overviewOf } from "../core/timeline/indexedTimeline.js";
import {
  type EditorMessage,
  type PageMessage,
  TIMELINE_COMMANDS,
  type TimelineCommand,
} from "../core/timeline/protocol.js";
import { profilePage } from "./profilePage.js";

const VIEW_TYPE = "offloadLens.profile";
/** A typed array cannot be longer in every supported editor, and reading is all or nothing. */
const MAX_FILE_BYTES = 2 ** 31;
/** A writer may still be busy when the first change arrives. */
const RELOAD_DELAY_MS = 150;

/**
 * Registers the editor of saved profiles (`*.offload`) and one command per action of the timeline,
 * `offloadLens.timeline.<action>`, which goes to the page that was active last.
 */
export function registerProfileEditor(context: vscode.ExtensionContext): void {
  const editor = new ProfileEditor(context.extensionUri);
  context.subscriptions.push(
    vscode.window.registerCustomEditorProvider(VIEW_TYPE, editor, {
      supportsMultipleEditorsPerDocument: true,
      webviewOptions: { retainContextWhenHidden: true },
    }),
    ...TIMELINE_COMMANDS.map((command) =>
      vscode.commands.registerCommand(`offloadLens.timeline.${command}`, () => editor.send(command)),
    ),
  );
}

class ProfileEditor implements vscode.CustomReadonlyEditorProvider<ProfileDocument> {
  private active: vscode.WebviewPanel | undefined;

  constructor(private readonly extensionUri: vscode.Uri) {}

  openCustomDocument(uri: vscode.Uri): ProfileDocument {
    return new ProfileDocument(uri);
  }

  resolveCustomEditor(document: ProfileDocument, panel: vscode.WebviewPanel): void {
    const dist = vscode.Uri.joinPath(this.extensionUri, "dist");
    const { webview } = panel;
    webview.options = { enableScripts: true, localResourceRoots: [dist] };
    const post = (message: EditorMessage) => void webview.postMessage(message);
    // The listener is there before the page: its first message is `ready`.
    const listeners = [
      webview.onDidReceiveMessage((message: PageMessage) => {
        if (message.type === "ready") document.join(post);
        else if (message.type === "ask") post({ type: "answer", id: message.id, outcome: document.answer(message) });
      }),
      panel.onDidChangeViewState(() => this.noteActive(panel)),
    ];
    panel.onDidDispose(() => {
      document.leave(post);
      if (this.active === panel) this.active = undefined;
      for (const listener of listeners) listener.dispose();
    });
    this.noteActive(panel);
    webview.html = profilePage({
      scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, "webview.js")).toString(),
      styleUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, "webview.css")).toString(),
      cspSource: webview.cspSource,
      nonce: randomBytes(24).toString("base64url"),
    });
  }

  send(command: TimelineCommand): void {
    void this.active?.webview.postMessage({ type: "command", command } satisfies EditorMessage);
  }

  private noteActive(panel: vscode.WebviewPanel): void {
    if (panel.active) this.active = panel;
  }
}

type Post = (message: EditorMessage) => void;

/** One open file: its columns, and the pages that look at it. Read on first need, read again when it changes on disk. */
class ProfileDocument implements vscode.CustomDocument {
  private readonly pages = new Set<Post>();
  private readonly watcher: vscode.FileSystemWatcher;
  private loaded: Outcome<IndexedProfile> | undefined;
  private reload: ReturnType<typeof setTimeout> | undefined;
  /** Only the newest read may publish what it found. */
  private generation = 0;

  constructor(readonly uri: vscode.Uri) {
    const folder = vscode.Uri.joinPath(uri, "..");
    const pattern = new vscode.RelativePattern(folder, escapeGlob(this.fileName));
    this.watcher = vscode.workspace.createFileSystemWatcher(pattern);
    this.watcher.onDidChange(() => this.reloadSoon());
    this.watcher.onDidCreate(() => this.reloadSoon());
    // A deleted file stays readable in the tab: its columns are in memory.
  }

  dispose(): void {
    this.generation++;
    clearTimeout(this.reload);
    this.watcher.dispose();
  }

  join(post: Post): void {
    this.pages.add(post);
    if (this.loaded === undefined) void this.load();
    else post(this.describe(this.loaded));
  }

  leave(post: Post): void {
    this.pages.delete(post);
  }

  answer(message: Extract<PageMessage, { type: "ask" }>): ReturnType<typeof answerQuestion> {
    if (this.loaded?.ok) return answerQuestion(this.loaded.value, message.question);
    return fail(
      this.loaded?.problem ?? {
        code: "PROFILE_LOADING",
        message: "The file is still being read.",
        nextStep: "Try again when the timeline is shown.",
      },
    );
  }

  private get fileName(): string {
    return this.uri.path.slice(this.uri.path.lastIndexOf("/") + 1);
  }

  private reloadSoon(): void {
    clearTimeout(this.reload);
    this.reload = setTimeout(() => void this.load(), RELOAD_DELAY_MS);
  }

  private async load(): Promise<void> {
    const generation = ++this.generation;
    const read = await this.read();
    if (generation !== this.generation) return;
    this.loaded = read;
    this.publish(this.describe(read));
  }

  private async read(): Promise<Outcome<IndexedProfile>> {
    let bytes: Uint8Array;
    try {
      const { size } = await vscode.workspace.fs.stat(this.uri);
      this.publish({ type: "loading", fileName: this.fileName, sizeBytes: size });
      if (size > MAX_FILE_BYTES) return fail(tooLarge(this.fileName, size));
      bytes = await vscode.workspace.fs.readFile(this.uri);
    } catch (reason) {
      return fail(unreadable(this.fileName, reason));
    }
    const saved = readContainer(bytes);
    return saved.ok ? { ok: true, value: indexProfile(saved.value) } : saved;
  }

  private describe(loaded: Outcome<IndexedProfile>): EditorMessage {
    if (!loaded.ok) return { type: "problem", problem: loaded.problem };
    return { type: "profile", profile: overviewOf(loaded.value, this.fileName) };
  }

  private publish(message: EditorMessage): void {
    for (const post of this.pages) post(message);
  }
}

/** A file name as a pattern that matches only itself. */
function escapeGlob(name: string): string {
  return name.replace(/[[\]{}*?]/g, "[$&]");
}

function tooLarge(fileName: string, sizeBytes: number): Problem {
  return {
    code: "PROFILE_TOO_LARGE",
    message: `${fileName} is too large to open.`,
    cause: `It has ${sizeBytes} bytes; the limit is 2 GiB.`,
    nextStep: "Profile fewer layers or fewer strategies at once.",
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
