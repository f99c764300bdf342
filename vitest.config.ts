import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";

/*
 * unit: src/core and the shells without an editor; unitMocks: those of them that put something else in a module's place, each
 * file in a world of its own. webview: the page alone in a browser. e2e: the installed extension in a real VS Code, driven from
 * a browser; its server is started once for all files.
 */
const browser = { testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false, maxWorkers: 1 };

const unitTests = readdirSync("test/unit", { recursive: true, encoding: "utf8" })
  .map((name) => `test/unit/${name.replaceAll("\\", "/")}`)
  .filter((name) => /\.test\.(?:ts|mjs)$/.test(name))
  .map((name) => ({ name, text: readFileSync(name, "utf8") }));
const mocking = unitTests.filter(({ text }) => /\bvi\.(?:mock|doMock)\(/.test(text)).map(({ name }) => name);
/** A first comment with this word: large inputs, left out of `npm run test:quick`. */
const slow = unitTests.filter(({ text }) => text.includes("@slow")).map(({ name }) => name);
const leftOut = process.env.OFFLOAD_LENS_QUICK === "1" ? slow : [];

// Loading the same modules anew for each of hundreds of files takes longer than the tests do.
const unit = { testTimeout: 30_000, pool: "threads", isolate: false, maxWorkers: "100%" } as const;

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.{ts,mjs}"],
          exclude: [...mocking, ...leftOut],
          ...unit,
        },
      },
      { test: { ...unit, name: "unitMocks", include: mocking, isolate: true } },
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
