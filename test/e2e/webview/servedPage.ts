import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { pageHtml } from "../../../src/extension/pageHtml.js";
import { launchBrowser } from "../../host/browser.mjs";

/** A page of the extension alone in a real browser: its own HTML and policy, its bundled script, a stand-in for VS Code. */
export interface ServedPage {
  readonly page: Page;
  readonly origin: string;
  /** Everything that the page logged as an error or threw. */
  readonly errors: string[];
  close(): Promise<void>;
}

/** Bundles the page's script (`main.ts`) and the stand-in (`host`, a script of this folder without its ending), and serves both. */
export async function servePage(main: string, host: string, title = "Offload profile"): Promise<ServedPage> {
  const files = await bundle(main, `test/e2e/webview/${host}.ts`);
  const nonce = randomBytes(24).toString("base64url");
  const styleNonce = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const known = path === "/" ? { type: "text/html", text: html() } : files.get(path);
    response.writeHead(known === undefined ? 404 : 200, { "content-type": known?.type ?? "text/plain" });
    response.end(known?.text ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const html = () => {
    const text = pageHtml({
      title,
      scriptUri: "/main.js",
      styleUri: "/main.css",
      cspSource: origin,
      nonce,
      styleNonce,
    });
    return text.replace('<div id="page">', `<script nonce="${nonce}" src="/${host}.js"></script><div id="page">`);
  };
  const browser = await launchBrowser();
  const { page } = browser;
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  const close = async () => {
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
  };
  return { page, origin, errors, close };
}

async function bundle(main: string, host: string): Promise<Map<string, { type: string; text: string }>> {
  const common = { bundle: true, write: false, platform: "browser", format: "iife", target: "chrome128" } as const;
  const outdir = "build/webview-harness";
  const [pageScript, hostScript] = await Promise.all([
    build({ ...common, entryPoints: [main], outdir }),
    build({ ...common, entryPoints: [host], outdir }),
  ]);
  const files = new Map([["/favicon.ico", { type: "image/x-icon", text: "" }]]);
  for (const file of [...pageScript.outputFiles, ...hostScript.outputFiles]) {
    const name = file.path.slice(file.path.lastIndexOf("/"));
    files.set(name, { type: name.endsWith(".css") ? "text/css" : "text/javascript", text: file.text });
  }
  return files;
}
