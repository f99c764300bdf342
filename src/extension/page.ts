import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { pageHtml } from "./pageHtml.js";

/** One of the pages: `dist/NAME.js` with `dist/NAME.css`, and what is read out when it is focused. */
const PAGES = {
  webview: "Offload profile",
  modules: "Modules",
  sweep: "What If",
} as const;

/** Fills a webview with a page. Its messages start with `ready`, so whoever listens has to do so before. */
export function showPage(webview: vscode.Webview, extensionUri: vscode.Uri, name: keyof typeof PAGES): void {
  const dist = vscode.Uri.joinPath(extensionUri, "dist");
  const uriOf = (file: string): string => webview.asWebviewUri(vscode.Uri.joinPath(dist, file)).toString();
  webview.options = { enableScripts: true, localResourceRoots: [dist] };
  webview.html = pageHtml({
    title: PAGES[name],
    scriptUri: uriOf(`${name}.js`),
    styleUri: uriOf(`${name}.css`),
    cspSource: webview.cspSource,
    nonce: newNonce(),
    styleNonce: newNonce(),
  });
}

function newNonce(): string {
  return randomBytes(24).toString("base64url");
}
