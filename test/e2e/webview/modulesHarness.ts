import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { profilePage } from "../../../src/extension/profilePage.js";
import { launchBrowser } from "../../host/browser.mjs";
import type { ThemeName } from "./themes.js";

/** The Modules page alone in a real browser: the extension's own HTML and policy, its bundled script, a stand-in for VS Code. */
export interface ModulesHarness {
  readonly page: Page;
  /** Everything that the page logged as an error or threw. */
  readonly errors: string[];
  /** Loads a fresh page and shows what the patterns select on the tree. */
  open(treeFile: string, patterns: readonly string[], theme?: ThemeName, widthPx?: number): Promise<void>;
  close(): Promise<void>;
}

export async function startModulesHarness(): Promise<ModulesHarness> {
  const files = await bundlePage();
  const nonce = randomBytes(24).toString("base64url");
  const server = createServer((request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const known = path === "/" ? { type: "text/html", text: html(nonce, origin()) } : files.get(path);
    response.writeHead(known === undefined ? 404 : 200, { "content-type": known?.type ?? "text/plain" });
    response.end(known?.text ?? "");
  });
  const origin = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launchBrowser();
  const { page } = browser;
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return {
    page,
    errors,
    async open(treeFile, patterns, theme = "dark", widthPx = 360) {
      await page.setViewportSize({ width: widthPx, height: 720 });
      await page.goto(origin());
      await page.evaluate(
        ([name, file, list]) => {
          window.modulesHarness.setTheme(name as ThemeName);
          window.modulesHarness.open(file as string, list as string[]);
        },
        [theme, treeFile, patterns] as const,
      );
      await page.locator(".footer .sums").waitFor();
    },
    async close() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bundlePage(): Promise<Map<string, { type: string; text: string }>> {
  const common = { bundle: true, write: false, platform: "browser", format: "iife", target: "chrome128" } as const;
  const outdir = "build/webview-harness";
  const [pageScript, hostScript] = await Promise.all([
    build({ ...common, entryPoints: ["src/webview/modules/main.ts"], outdir }),
    build({ ...common, entryPoints: ["test/e2e/webview/modulesHost.ts"], outdir }),
  ]);
  const files = new Map([["/favicon.ico", { type: "image/x-icon", text: "" }]]);
  for (const file of [...pageScript.outputFiles, ...hostScript.outputFiles]) {
    const name = file.path.slice(file.path.lastIndexOf("/"));
    files.set(name, { type: name.endsWith(".css") ? "text/css" : "text/javascript", text: file.text });
  }
  return files;
}

function html(nonce: string, origin: string): string {
  const text = profilePage({
    title: "Modules",
    scriptUri: "/main.js",
    styleUri: "/main.css",
    cspSource: origin,
    nonce,
  });
  return text.replace('<div id="page">', `<script nonce="${nonce}" src="/modulesHost.js"></script><div id="page">`);
}
