import { type ServedPage, servePage } from "./servedPage.js";
import type { ThemeName } from "./themes.js";

/** The Modules page alone in a real browser: the extension's own HTML and policy, its bundled script, a stand-in for VS Code. */
export interface ModulesHarness extends Pick<ServedPage, "page" | "errors" | "close"> {
  /** Loads a fresh page and shows what the patterns select on the tree. */
  open(treeFile: string, patterns: readonly string[], theme?: ThemeName, widthPx?: number): Promise<void>;
}

export async function startModulesHarness(): Promise<ModulesHarness> {
  const { page, origin, errors, close } = await servePage("src/webview/modules/main.ts", "modulesHost", "Modules");
  return {
    page,
    errors,
    async open(treeFile, patterns, theme = "dark", widthPx = 360) {
      await page.setViewportSize({ width: widthPx, height: 720 });
      await page.goto(origin);
      await page.evaluate(
        ([name, file, list]) => {
          window.modulesHarness.setTheme(name as ThemeName);
          window.modulesHarness.open(file as string, list as string[]);
        },
        [theme, treeFile, patterns] as const,
      );
      await page.locator(".footer .sums").waitFor();
    },
    close,
  };
}
