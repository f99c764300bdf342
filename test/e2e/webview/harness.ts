import type { Page } from "playwright-core";
import type { TraceFile } from "./fakeHost.js";
import { type ServedPage, servePage } from "./servedPage.js";
import type { ThemeName } from "./themes.js";

/** The page alone in a real browser: the extension's own HTML and policy, its bundled script, a stand-in for VS Code. */
export interface Harness extends Pick<ServedPage, "page" | "errors" | "close"> {
  /** Loads a fresh page, sets theme and size, opens the file and waits for its first picture. */
  open(bytes: Uint8Array, theme?: ThemeName, size?: { width: number; height: number }): Promise<void>;
  /** The same for traces. */
  openTraces(files: readonly NamedBytes[], theme?: ThemeName, size?: { width: number; height: number }): Promise<void>;
  /** A made-up timeline of so many events. */
  openDense(events: number): Promise<void>;
}

export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly alignNs?: number;
  readonly isAdded?: boolean;
}

export async function startHarness(): Promise<Harness> {
  const { page, origin, errors, close } = await servePage("src/webview/timeline/main.ts", "fakeHost");
  const load = async (theme: ThemeName, size: { width: number; height: number }) => {
    await page.setViewportSize(size);
    await page.goto(origin);
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
    close,
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
