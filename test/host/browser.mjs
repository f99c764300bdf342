import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

/*
 * The Debian package's chromium, with everything off that would reach for the network or a GPU.
 */

const candidates = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Starts a browser with a profile of its own.
 *
 * @param {{ width?: number, height?: number }} [size] of the window in CSS pixels
 * @returns {Promise<{ page: import("playwright-core").Page, close: () => Promise<void> }>}
 */
export async function launchBrowser({ width = 1400, height = 900 } = {}) {
  const executablePath = candidates.find((path) => path !== undefined && existsSync(path));
  if (executablePath === undefined) throw new Error("no chromium found: install it, or set CHROMIUM_PATH");
  const userData = mkdtempSync(join(tmpdir(), "offload-lens-browser-"));
  const context = await chromium.launchPersistentContext(userData, {
    executablePath,
    headless: true,
    args: flags,
    viewport: { width, height },
    // Bytes of a picture stay comparable between machines only at one scale.
    deviceScaleFactor: 1,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const close = async () => {
    await context.close();
    rmSync(userData, { recursive: true, force: true });
  };
  return { page, close };
}
