import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { checkSources } from "./check.mjs";
import { run, StepFailed, script, section } from "./command.mjs";
import { installHost } from "./hostInstall.mjs";
import { compileNative, nativeBuilds } from "./native.mjs";
import { packageExtension } from "./package.mjs";
import { build, root } from "./places.mjs";
import { setUp } from "./setup.mjs";

/**
 * `npm test`: everything from unit to browser, in the order in which a failure is cheapest to learn about. The first stage
 * that fails ends the run; the last line sums up over all runners.
 *
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/**
 * One vitest project.
 *
 * @param {string} project name in vitest.config.ts
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<Counts>}
 */
async function vitest(project, env = process.env) {
  const folder = join(build, "test-results");
  mkdirSync(folder, { recursive: true });
  const report = join(folder, `${project}.json`);
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const args = ["--no-install", "vitest", "run", "--project", project, ...reporters];
  const { code } = await run("npx", args, { env, accept: [0, 1] });
  if (!existsSync(report)) throw new StepFailed(`vitest (${project}) ended without a report`);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(readFileSync(report, "utf8"));
  // A file that cannot be loaded fails the run without a failed test.
  const failed = code === 0 ? numFailedTests : Math.max(1, numFailedTests);
  return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
}

/**
 * Compiles and runs the native tests of one build; counts doctest's cases, not executables.
 *
 * @param {keyof typeof nativeBuilds} kind
 * @returns {Promise<Counts>}
 */
async function nativeTests(kind) {
  await compileNative(kind);
  const jobs = String(Math.min(availableParallelism(), 8));
  const args = ["--test-dir", nativeBuilds[kind].folder, "--verbose", "--no-tests=error", "--parallel", jobs];
  const { code, output } = await run("ctest", args, { quiet: true, accept: [0, 8] });
  const lines = output.matchAll(/^(\d+): .*test cases:\s*\d+ \|\s*(\d+) passed \|\s*(\d+) failed/gm);
  const reasons = new Map(
    [...output.matchAll(/^(\d+): (.*skipped without a GPU.*)$/gm)].map(([, test, text]) => [test, text]),
  );
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [, test, passed, failed] of lines) {
    // A file for GPUs is skipped as a whole; doctest's own "skipped" are the cases of all other files.
    counts[reasons.has(test) ? "skipped" : "passed"] += Number(passed);
    counts.failed += Number(failed);
  }
  for (const reason of reasons.values()) console.log(reason);
  if (code !== 0) {
    process.stderr.write(output);
    counts.failed = Math.max(1, counts.failed);
  }
  console.log(output.match(/\d+% tests passed.*/)?.[0] ?? "no summary from ctest", `(${counts.passed} cases passed)`);
  return counts;
}

async function checks() {
  await checkSources();
  return { passed: 0, failed: 0, skipped: 0 };
}

/** Diagnostics, and the names of a large checkpoint, beside a bare parse, in processor time. */
async function editRatios() {
  const bench = join(root, "src", "dev", "bench.mjs");
  const { code, output } = await run(process.execPath, [bench, "--assert"], { accept: [0, 1] });
  const passed = output.match(/^ok /gm)?.length ?? 0;
  return { passed, failed: code === 0 ? 0 : Math.max(1, output.match(/^FAIL /gm)?.length ?? 0), skipped: 0 };
}

/** The stages behind the package need it and the host; both are made once. */
async function installedStages() {
  section("Package");
  const vsix = await packageExtension();
  await packageExtension({ neutral: true });
  const host = await installHost();
  const { runEditorTests } = await import("../../test/host/editorTests.mjs");
  return {
    editor: () => runEditorTests(host, vsix),
    browser: () => vitest("e2e", { ...process.env, OFFLOAD_LENS_VSIX: vsix }),
  };
}

/** @type {Counts} */
const total = { passed: 0, failed: 0, skipped: 0 };

async function stage(title, body) {
  section(title);
  const started = performance.now();
  const counts = await body();
  for (const key of Object.keys(total)) total[key] += counts[key];
  console.log(`${title}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (counts.failed > 0) throw new StepFailed(`${title} failed`);
}

await script(async () => {
  await setUp("browse");
  await stage("Format, lint, types", checks);
  await stage("Unit tests", () => vitest("unit"));
  await stage("Speed of diagnostics", editRatios);
  await stage("Native tests", () => nativeTests("release"));
  await stage("Native tests, address and undefined-behaviour sanitizer", () => nativeTests("asan"));
  await stage("Native tests, thread sanitizer", () => nativeTests("tsan"));
  const installed = await installedStages();
  await stage("Page alone in a browser", () => vitest("webview"));
  await stage("Inside VS Code", installed.editor);
  await stage("VS Code in a browser", installed.browser);
});
// A stage that could not run at all counts as one failure.
if (process.exitCode === 1) total.failed = Math.max(1, total.failed);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
