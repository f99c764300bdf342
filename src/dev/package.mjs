import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.mjs";
import { isProgram, run, StepFailed, script, section } from "./command.mjs";
import { shipNative } from "./native.mjs";
import { build, dist, root, shown } from "./places.mjs";
import { setUp } from "./setup.mjs";
import { listZip } from "./zipList.mjs";

const target = "linux-x64";

/** What the .vsix must hold. */
const required = [
  "extension/package.json",
  "extension/readme.md",
  "extension/changelog.md",
  "extension/LICENSE.txt",
  "extension/dist/extension.cjs",
  "extension/dist/analysis.cjs",
  "extension/dist/profiler.cjs",
  "extension/dist/cli.js",
  "extension/dist/webview.js",
  "extension/dist/native/offload_lens.node",
  "extension/dist/native/offload-lens-engine",
  "extension/media/icon.png",
  "extension/media/sample/veomni.yaml",
];

/** What it may hold beside that. Anything else is a mistake in packaging. */
const allowed = [
  /^extension\.vsixmanifest$/,
  /^\[Content_Types\]\.xml$/,
  /^extension\/dist\/webview\.css$/,
  /^extension\/media\/[\w-]+\.(svg|png|md)$/,
  /^extension\/media\/python\/\w+\.py$/,
  /^extension\/media\/(walkthrough|screenshots)\/[\w-]+\.(md|png|svg)$/,
  /^extension\/media\/sample\/(\.vscode\/)?[\w.-]+$/,
  /^extension\/media\/sample\/checkpoint\/[\w.-]+$/,
];

function checkContents(files) {
  const names = files.map(({ name }) => name);
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new StepFailed(`the .vsix lacks ${missing.join(", ")}`);
  const surplus = names.filter((name) => !required.includes(name) && !allowed.some((pattern) => pattern.test(name)));
  if (surplus.length > 0) throw new StepFailed(`the .vsix holds files that nobody asked for: ${surplus.join(", ")}`);
}

function highest(versions) {
  const byNumber = new Intl.Collator("en", { numeric: true }).compare;
  return [...versions].sort(byNumber).at(-1);
}

/**
 * The oldest glibc that can load the shipped binaries, from the symbol versions that they import.
 *
 * @returns {Promise<string>} e.g. `2.34`
 * @throws {StepFailed} when a binary wants the C++ runtime of the building machine.
 */
export async function glibcFloor() {
  const versions = new Set();
  for (const name of ["offload_lens.node", "offload-lens-engine"]) {
    const { output } = await run("objdump", ["-T", join(dist, "native", name)], { quiet: true });
    if (/GLIBCXX_|CXXABI_/.test(output)) throw new StepFailed(`${name} needs a shared C++ runtime; link it statically`);
    for (const [, version] of output.matchAll(/GLIBC_(\d+\.\d+)/g)) versions.add(version);
  }
  return highest(versions);
}

/** Minified or stripped programs that do not even start must not ship. */
async function checkPrograms(version) {
  const programs = [
    [process.execPath, [join(dist, "cli.js"), "--version"]],
    [join(dist, "native", "offload-lens-engine"), ["--version"]],
  ];
  for (const [program, args] of programs) {
    const { output } = await run(program, args, { quiet: true });
    if (!output.includes(version))
      throw new StepFailed(`${shown(program)} says "${output.trim()}" instead of ${version}`);
  }
}

/**
 * Builds everything for release and packs it.
 *
 * @returns {Promise<string>} path of the .vsix
 */
export async function packageExtension() {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  await shipNative();
  await bundle({ release: true });
  await checkPrograms(version);
  const vsix = join(build, `${name}-${target}-${version}.vsix`);
  rmSync(vsix, { force: true });
  const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--out", vsix];
  await run("npx", ["--no-install", "vsce", "package", "--target", target, ...options], { quiet: true });
  const files = listZip(vsix);
  checkContents(files);
  const floor = await glibcFloor();
  const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(2)} MiB`;
  const unpackedBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  console.log(
    `${shown(vsix)}: ${mebibytes(statSync(vsix).size)}, ${files.length} files, ${mebibytes(unpackedBytes)} unpacked`,
  );
  console.log(`needs glibc ${floor} or newer`);
  return vsix;
}

if (isProgram(import.meta.url)) {
  await script(async () => {
    await setUp("build");
    section("Package");
    await packageExtension();
  });
}
