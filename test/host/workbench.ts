import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { inject } from "vitest";
import { launchBrowser } from "./browser.mjs";

/*
 * What a person does in the workbench, for the browser tests: open a file, call a command, look into a webview.
 */

declare module "vitest" {
  interface ProvidedContext {
    /** Set by serveForBrowser.mjs; ends without a slash. */
    hostUrl: string;
  }
}

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

export interface Workbench {
  readonly page: Page;
  /** The workspace folder on disk: a copy of the sample, removed by `close`. */
  readonly workspace: string;
  close(): Promise<void>;
}

/**
 * Opens a copy of the sample workspace in a fresh browser and waits until the explorer shows it. `files` (text by path)
 * are there from the start: the explorer and the settings take later ones late or never, where the system has no watch left.
 */
export async function openWorkbench(
  size?: { width?: number; height?: number },
  files: Readonly<Record<string, string>> = {},
): Promise<Workbench> {
  const folder = mkdtempSync(join(tmpdir(), "offload-lens-workspace-"));
  const workspace = join(folder, "sample");
  cpSync(join(repository, "media", "sample"), workspace, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  const { page, close } = await launchBrowser(size);
  await page.goto(`${inject("hostUrl")}/?folder=${encodeURIComponent(workspace)}`);
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor({ timeout: 60_000 });
  return {
    page,
    workspace,
    close: async () => {
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Calls a command by its title, as the palette shows it (category included). */
export async function runCommand(page: Page, title: string): Promise<void> {
  await fillPalette(page, `>${title}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
  await page.keyboard.press("Enter");
}

/** Opens the palette and types; what takes the focus meanwhile closes it, and it is opened again. */
async function fillPalette(page: Page, text: string, tries = 3): Promise<void> {
  await page.keyboard.press("F1");
  const input = page.locator(".quick-input-widget input");
  await input.waitFor();
  try {
    await input.fill(text, { timeout: 5000 });
  } catch (error) {
    if (tries <= 1) throw error;
    await fillPalette(page, text, tries - 1);
  }
}

/**
 * Opens a file of the workspace through quick open, waits for its tab, then brings `line` (1-based) into view: the editor
 * draws neither squiggles nor code lenses outside the visible part.
 */
export async function openFile(page: Page, name: string, line = 1): Promise<void> {
  await page.keyboard.press("Control+P");
  const input = page.locator(".quick-input-widget input");
  await input.waitFor();
  await input.fill(name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: name.split("/").at(-1) ?? name }).waitFor();
  await goToLine(page, line);
}

/**
 * Moves the cursor of the active editor, both 1-based. A key pressed while the editor still opens is lost, and an editor that
 * has just opened may put the cursor back, so it looks and tries again.
 */
export async function goToLine(page: Page, line: number, column?: number): Promise<void> {
  const input = page.locator(".quick-input-widget input");
  const there = page.locator(".statusbar-item", { hasText: new RegExp(`^Ln ${line}, Col ${column ?? "\\d+"}(?!\\d)`) });
  const soon = (wanted: Locator): Promise<boolean> =>
    wanted.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
  for (let attempt = 0; attempt < 8; attempt++) {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+G");
    if (!(await soon(input))) continue;
    await input.fill(column === undefined ? `:${line}` : `:${line}:${column}`);
    await page.keyboard.press("Enter");
    if (await soon(there)) return;
  }
  throw new Error(`the cursor did not reach line ${line}`);
}

/** The document inside the webview that is open; only one may be. */
export function webviewFrame(page: Page): FrameLocator {
  return page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
}

/** The code lens whose text contains `text`. */
export function codeLens(page: Page, text: string | RegExp): Locator {
  return page.locator(".codelens-decoration a, .codelens-decoration span", { hasText: text }).first();
}

/** Saves a picture for people to look at: test/output/<name>.png. */
export async function takePicture(page: Page, name: string): Promise<string> {
  const folder = join(repository, "test", "output");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.png`);
  await page.screenshot({ path });
  return path;
}
