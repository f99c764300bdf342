import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { profilePage } from "../../../src/extension/profilePage.js";
import { launchBrowser } from "../../host/browser.mjs";
import type { TraceFile } from "./fakeHost.js";
import type { ThemeName } from "./themes.js";

/** The page alone in a real browser: the extension's own HTML and policy, its bundled script, a stand-in for VS Code. */
export interface Harness {
  readonly page: Page;
  /** Everything that the page logged as an error or threw. */
  readonly errors: string[];
  /** Loads a fresh page, sets theme and size, opens the file and waits for its first picture. */
  open(bytes: Uint8Array, theme?: ThemeName, size?: { width: number; height: number }): Promise<void>;
  /** The same for traces. */
  openTraces(files: readonly NamedBytes[], theme?: ThemeName, size?: { width: number; height: number }): Promise<void>;
  /** A made-up timeline of so many events. */
  openDense(events: number): Promise<void>;
  close(): Promise<void>;
}

export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly alignNs?: number;
}

export async function startHarness(): Promise<Harness> {
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
  const load = async (theme: ThemeName, size: { width: number; height: number }) => {
    await page.setViewportSize(size);
    await page.goto(origin());
    await page.evaluate((name) => window.harness.setTheme(name as ThemeName), theme);
  };
  const firstPicture = async () => {
    await page.locator(".page, .notice [role=alert]").waitFor();
    await settle(page);
  };
  return {
    page,
    errors,
    async open(bytes, theme = "dark", size = { width: 1400, height: 900 }) {
      await load(theme, size);
      await page.evaluate((content) => window.harness.open(content), Buffer.from(bytes).toString("base64"));
      await firstPicture();
    },
    async openTraces(files, theme = "dark", size = { width: 1600, height: 1000 }) {
      await load(theme, size);
      const sent = files.map(
        ({ bytes, ...rest }): TraceFile => ({ ...rest, base64: Buffer.from(bytes).toString("base64") }),
      );
      await page.evaluate((traces) => window.harness.openTraces(traces), sent);
      await firstPicture();
    },
    async openDense(events) {
      await load("dark", { width: 1600, height: 1000 });
      await page.evaluate((count) => window.harness.openDense(count), events);
      await firstPicture();
    },
    async close() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Waits until no question is open and what was answered is on the screen. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let at = 0; at < 6; at++) {
      await frame();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  });
}

async function bundlePage(): Promise<Map<string, { type: string; text: string }>> {
  const common = { bundle: true, write: false, platform: "browser", format: "iife", target: "chrome128" } as const;
  const [pageScript, hostScript] = await Promise.all([
    build({ ...common, entryPoints: ["src/webview/main.ts"], outdir: "build/webview-harness" }),
    build({ ...common, entryPoints: ["test/e2e/webview/fakeHost.ts"], outdir: "build/webview-harness" }),
  ]);
  const files = new Map([["/favicon.ico", { type: "image/x-icon", text: "" }]]);
  for (const file of [...pageScript.outputFiles, ...hostScript.outputFiles]) {
    const name = file.path.slice(file.path.lastIndexOf("/"));
    files.set(name, { type: name.endsWith(".css") ? "text/css" : "text/javascript", text: file.text });
  }
  return files;
}

function html(nonce: string, origin: string): string {
  const text = profilePage({ scriptUri: "/main.js", styleUri: "/main.css", cspSource: origin, nonce });
  return text.replace('<div id="page">', `<script nonce="${nonce}" src="/fakeHost.js"></script><div id="page">`);
}
