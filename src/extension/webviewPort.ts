import type * as vscode from "vscode";
import type { Port } from "../core/channel.js";

/**
 * The extension's end of the line to a page. The editor passes the buffers of a message on itself; nothing is transferred.
 * Listeners end with `disposables`.
 */
export function webviewPort(webview: vscode.Webview, disposables: vscode.Disposable[]): Port {
  return {
    post: (message) => void webview.postMessage(message),
    listen: (listener) => void webview.onDidReceiveMessage(listener, undefined, disposables),
  };
}
