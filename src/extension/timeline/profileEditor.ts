import * as vscode from "vscode";
import { AnsweringEnd } from "../../core/channel.js";
import {
  type PageLine,
  type PageMessage,
  TIMELINE_COMMANDS,
  type TimelineCommand,
} from "../../core/timeline/query/protocol.js";
import { showPage } from "../page.js";
import { showSetting } from "../showSetting.js";
import { webviewPort } from "../webviewPort.js";
import { type ImportCounts, type Post, ProfileDocument } from "./profileDocument.js";
import { exportTimeline, savePicture } from "./timelineExport.js";
import { openComparison, registerTraceCommands, TRACE_VIEW } from "./traceCommands.js";

/** Saved profiles; traces by their usual names; any other JSON if the user asks for it. */
const VIEW_TYPES = ["offloadLens.profile", TRACE_VIEW, "offloadLens.anyTrace"] as const;

/**
 * Registers the editor of saved profiles and traces, the commands that open traces, and one command per action of the
 * timeline, `offloadLens.timeline.<action>`, which goes to the page that was active last. Gives what imports come to.
 */
export function registerProfileEditor(context: vscode.ExtensionContext): Readonly<ImportCounts> {
  const editor = new ProfileEditor(context.extensionUri);
  context.subscriptions.push(
    ...VIEW_TYPES.map((viewType) =>
      vscode.window.registerCustomEditorProvider(viewType, editor, {
        supportsMultipleEditorsPerDocument: true,
        webviewOptions: { retainContextWhenHidden: true },
      }),
    ),
    registerTraceCommands(),
    ...TIMELINE_COMMANDS.map((command) =>
      vscode.commands.registerCommand(`offloadLens.timeline.${command}`, () => editor.send(command)),
    ),
  );
  return editor.imports;
}

class ProfileEditor implements vscode.CustomReadonlyEditorProvider<ProfileDocument> {
  readonly imports: ImportCounts = { reports: 0, ended: 0 };
  private active: { readonly panel: vscode.WebviewPanel; readonly post: Post } | undefined;

  constructor(private readonly extensionUri: vscode.Uri) {}

  openCustomDocument(uri: vscode.Uri): ProfileDocument {
    const script = vscode.Uri.joinPath(this.extensionUri, "dist", "timeline.cjs").fsPath;
    return new ProfileDocument(uri, script, this.imports);
  }

  resolveCustomEditor(document: ProfileDocument, panel: vscode.WebviewPanel): void {
    const { webview } = panel;
    const listeners: vscode.Disposable[] = [];
    // The listener is there before the page: its first message is `ready`.
    const line = new AnsweringEnd<PageLine>(webviewPort(webview, listeners), {
      answer: (question) => document.ask(question),
      onTold: (message) => void receive(document, message, post),
    });
    const post: Post = (message) => line.announce(message);
    listeners.push(panel.onDidChangeViewState(() => this.noteActive(panel, post)));
    panel.onDidDispose(() => {
      document.leave(post);
      if (this.active?.panel === panel) this.active = undefined;
      for (const listener of listeners) listener.dispose();
    });
    this.noteActive(panel, post);
    showPage(webview, this.extensionUri, "webview");
  }

  send(command: TimelineCommand): void {
    this.active?.post({ type: "command", command });
  }

  private noteActive(panel: vscode.WebviewPanel, post: Post): void {
    if (panel.active) this.active = { panel, post };
  }
}

async function receive(document: ProfileDocument, message: PageMessage, post: Post): Promise<void> {
  switch (message.type) {
    case "ready":
      document.join(post);
      return;
    case "cancel":
      document.cancel();
      return;
    case "export":
      post({ type: "exported", outcome: await exportTimeline(document, message.request) });
      return;
    case "savePicture":
      post({ type: "exported", outcome: await savePicture(document, message.png) });
      return;
    case "addFile":
      await openComparison(document.uris);
      return;
    case "showSetting":
      await showSetting(message.key);
      return;
  }
}
