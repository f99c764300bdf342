import { writeFileSync } from "node:fs";
import Mocha from "mocha";

/*
 * Runs inside the extension host of a real VS Code. It gets no arguments there, so what it needs to know is baked in when
 * editorTests.mjs bundles it.
 */

declare const TEST_FILES: readonly string[];
declare const COUNTS_PATH: string;

/**
 * Entry point that VS Code calls for `extensionTestsPath`.
 *
 * Writes `{passed, failed, skipped, passes, failures}` to the counts file, because the exit code alone cannot tell "all passed"
 * from "nothing ran".
 */
export function run(): Promise<void> {
  const mocha = new Mocha({ ui: "bdd", timeout: 60_000, reporter: "spec", color: false });
  for (const file of TEST_FILES) mocha.addFile(file);
  return new Promise((resolve, reject) => {
    const passes: string[] = [];
    const failures: { title: string; message: string }[] = [];
    const runner = mocha.run((failed) => {
      const skipped = runner.stats?.pending ?? 0;
      writeFileSync(COUNTS_PATH, JSON.stringify({ passed: passes.length, failed, skipped, passes, failures }));
      if (failed > 0) reject(new Error(`${failed} editor tests failed`));
      else resolve();
    });
    runner.on("pass", (test) => passes.push(test.fullTitle()));
    runner.on("fail", (test, error: Error) => {
      failures.push({ title: test.fullTitle(), message: error.stack ?? error.message });
    });
  });
}
