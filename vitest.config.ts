import { defineConfig } from "vitest/config";

/*
 * unit: src/core and the shells without an editor. webview: the page alone in a browser. e2e: the installed extension in a
 * real VS Code, driven from a browser; its server is started once for all files.
 */
const browser = { testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false, maxWorkers: 1 };

export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["test/unit/**/*.test.{ts,mjs}"], testTimeout: 20_000 } },
      { test: { name: "webview", include: ["test/e2e/webview/**/*.e2e.ts"], ...browser } },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/*.e2e.ts"],
          globalSetup: ["test/host/serveForBrowser.mjs"],
          ...browser,
        },
      },
    ],
  },
});
