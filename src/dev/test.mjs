import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
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
 * Three runs, each in the order in which a failure is cheapest to learn about:
 *
 *   npm test             everything that a change normally breaks, from unit tests to the packaged extension in a real VS Code
 *   npm run test:quick   types, lint and unit tests
 *   npm run test:deep    what takes long and breaks rarely: both sanitizers, all fuzz cases, large inputs, real frameworks
 *
 * The first stage that fails ends the run; the last line sums up over all runners.
 *
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/**
 * Vitest projects.
 *
 * @param {string} project names in vitest.config.ts, with blanks between them
 * @param {NodeJS.ProcessEnv} [env]
 * @param {readonly string[]} [files] only these test files
 * @returns {Promise<Counts>}
 */
async function vitest(project, env = process.env, files = []) {
  const folder = join(build, "test-results");
  mkdirSync(folder, { recursive: true });
  const report = join(folder, `${project.replaceAll(" ", "-")}.json`);
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const projects = project.split(" ").flatMap((name) => ["--project", name]);
  const args = ["--no-install", "vitest", "run", ...projects, ...reporters, ...files];
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

const unit = "unit unitMocks";

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

/** Unit tests that import a file of this name: `deep`, they take more cases when they are asked to; `engine`, they need it built. */
function testsThatRead(name) {
  const folder = join(root, "test", "unit");
  const files = readdirSync(folder, { recursive: true }).filter((file) => /\.test\.ts$/.test(file));
  return files
    .map((file) => join("test", "unit", file))
    .filter((file) => new RegExp(`from "[./]*/${name}\\.js"`).test(readFileSync(join(root, file), "utf8")));
}

/** @type {Record<string, () => Promise<void>>} */
const suites = {
  async usual() {
    await setUp("browse");
    await stage("Format, lint, types", checks);
    await stage("Unit tests", () => vitest(unit));
    await stage("Native tests", () => nativeTests("release"));
    const built = { ...process.env, OFFLOAD_LENS_ENGINE: "built" };
    await stage("Unit tests on the engine", () => vitest(unit, built, testsThatRead("engine")));
    const installed = await installedStages();
    await stage("Page alone in a browser", () => vitest("webview"));
    await stage("Inside VS Code", installed.editor);
    await stage("VS Code in a browser", installed.browser);
  },
  async quick() {
    await setUp("check");
    await stage("Format, lint, types", checks);
    await stage("Unit tests", () => vitest(unit, { ...process.env, OFFLOAD_LENS_QUICK: "1" }));
  },
  async deep() {
    await setUp("build");
    await stage("Fuzz and large inputs", () =>
      vitest(unit, { ...process.env, OFFLOAD_LENS_DEEP: "1" }, testsThatRead("deep")),
    );
    await stage("Speed of diagnostics", editRatios);
    await stage("Native tests, address and undefined-behaviour sanitizer", () => nativeTests("asan"));
    await stage("Native tests, thread sanitizer", () => nativeTests("tsan"));
  },
};

await script(async () => {
  const [name = "usual"] = process.argv.slice(2);
  const suite = suites[name];
  if (suite === undefined) throw new StepFailed(`no such run: ${name}. There are ${Object.keys(suites).join(", ")}.`);
  await suite();
});
// A stage that could not run at all counts as one failure.
if (process.exitCode === 1) total.failed = Math.max(1, total.failed);
console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
