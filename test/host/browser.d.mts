import type { Page } from "playwright-core";

export function launchBrowser(size?: {
  width?: number;
  height?: number;
}): Promise<{ page: Page; close: () => Promise<void> }>;
