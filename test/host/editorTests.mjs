import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StepFailed } from "../../src/dev/command.mjs";
import { build, root, sample, shown, testOutput } from "../../src/dev/places.mjs";
import { prepareProfile, serve } from "../../src/dev/vscodeHost.mjs";
import { launchBrowser } from "./browser.mjs";

/*
 * Runs the mocha tests of test/editor inside the extension host of a real VS Code in which the .vsix is installed. The
 * development extension that VS Code wants for test runs is an empty dummy, so that the installed one is what gets tested.
 */

const bundles = join(build, "editor-tests");
const logPath = join(testOutput, "editor-tests.log");
const longestRunMs = 10 * 60_000;

function testFiles() {
  const names = readdirSync(join(root, "test", "editor"), { recursive: true });
  return names.filter((name) => name.endsWith(".test.ts")).sort();
}

/** Bundles the runner and every test file; mocha itself comes from node_modules. */
async function bundleTests(files, countsPath) {
  const { build: esbuild } = await import("esbuild");
  rmSync(bundles, { recursive: true, force: true });
  const common = { bundle: true, platform: "node", target: "node20", format: "cjs", external: ["vscode", "mocha"] };
  await esbuild({
    ...common,
    entryPoints: files.map((file) => join(root, "test", "editor", file)),
    outbase: join(root, "test", "editor"),
    outdir: join(bundles, "tests"),
    outExtension: { ".js": ".cjs" },
    sourcemap: "inline",
  });
  const outputs = files.map((file) => join(bundles, "tests", file.replace(/\.ts$/, ".cjs")));
  await esbuild({
    ...common,
    entryPoints: [join(root, "test", "host", "extensionHost", "index.ts")],
    outfile: join(bundles, "index.cjs"),
    define: { TEST_FILES: JSON.stringify(outputs), COUNTS_PATH: JSON.stringify(countsPath) },
  });
  return join(bundles, "index.cjs");
}

function writeDummyExtension(folder) {
  mkdirSync(folder, { recursive: true });
  const manifest = { name: "dummy", publisher: "dummy", version: "0.0.1", engines: { vscode: "^1.100.0" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
}

function testUrl({ url, port }, workspace, dummy, entry) {
  const remote = (path) => `vscode-remote://127.0.0.1:${port}${path}`;
  const payload = [
    ["extensionDevelopmentPath", remote(dummy)],
    ["extensionTestsPath", remote(entry)],
  ];
  return `${url}/?folder=${encodeURIComponent(workspace)}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

/** Opens the page and waits for the exit code that VS Code reports. */
async function driveToExit(address) {
  mkdirSync(testOutput, { recursive: true });
  const { page, close } = await launchBrowser();
  try {
    const exit = new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new StepFailed(`the editor tests did not end; their log is ${shown(logPath)}`)),
        longestRunMs,
      );
      const settle = (code) => {
        clearTimeout(timer);
        resolve(code);
      };
      page.exposeFunction("codeAutomationExit", settle).catch(reject);
      page.on("crash", () => reject(new StepFailed("the browser page crashed")));
    });
    // The workbench mixes its own messages in: keep them for whoever looks into a failure, off the terminal.
    const log = createWriteStream(logPath);
    await page.exposeFunction("codeAutomationLog", (_kind, args) => log.write(`${args.map(String).join(" ")}\n`));
    await page.goto(address);
    return await exit;
  } finally {
    await page.screenshot({ path: join(testOutput, "editor-tests-end.png") }).catch(() => {});
    await close();
  }
}

/**
 * @param {import("../../src/dev/hostInstall.mjs").InstalledHost} host
 * @param {string} vsix
 * @returns {Promise<{ passed: number, failed: number, skipped: number }>}
 * @throws {StepFailed} when nothing ran, or when exit code and counts do not agree.
 */
export async function runEditorTests(host, vsix) {
  const folder = mkdtempSync(join(tmpdir(), "offload-lens-editor-"));
  const countsPath = join(folder, "counts.json");
  const files = testFiles();
  if (files.length === 0) throw new StepFailed("test/editor holds no *.test.ts");
  try {
    const entry = await bundleTests(files, countsPath);
    const workspace = join(folder, "workspace");
    cpSync(sample, workspace, { recursive: true });
    const dummy = join(folder, "dummy");
    writeDummyExtension(dummy);
    const profile = join(folder, "profile");
    await prepareProfile(host, profile, vsix);
    const server = await serve(host, profile);
    try {
      const code = await driveToExit(testUrl(server, workspace, dummy, entry));
      return readCounts(countsPath, code);
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readCounts(countsPath, code) {
  if (!existsSync(countsPath))
    throw new StepFailed(`the editor tests wrote no counts (exit code ${code}); see ${shown(logPath)}`);
  const { failures, passes, ...counts } = JSON.parse(readFileSync(countsPath, "utf8"));
  for (const title of passes) console.log(`  passed ${title}`);
  for (const { title, message } of failures) console.error(`\nFAILED ${title}\n${message}`);
  if (counts.passed + counts.failed === 0) throw new StepFailed("no editor test ran");
  if ((code !== 0) !== counts.failed > 0) {
    throw new StepFailed(`the editor tests ended with exit code ${code}, yet count ${counts.failed} failures`);
  }
  return counts;
}
