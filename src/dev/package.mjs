import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.mjs";
import { isProgram, run, StepFailed, script, section } from "./command.mjs";
import { nativeBuilds, shipNative } from "./native.mjs";
import { checkNativeHeaders, thirdPartyNotices } from "./notices.mjs";
import { build, dist, root, shown } from "./places.mjs";
import { setUp } from "./setup.mjs";
import { listZip } from "./zipList.mjs";

const target = "linux-x64";

/** What only the package of a platform holds. Without it everything works but profiling. */
export const nativeParts = ["extension/dist/native/offload_lens.node", "extension/dist/native/offload-lens-engine"];

/** What every .vsix must hold. */
export const required = [
  "extension/package.json",
  "extension/readme.md",
  "extension/changelog.md",
  "extension/LICENSE.txt",
  "extension/dist/extension.cjs",
  "extension/dist/analysis.cjs",
  "extension/dist/timeline.cjs",
  "extension/dist/profiler.cjs",
  "extension/dist/simulator.cjs",
  "extension/dist/cli.js",
  "extension/dist/webview.js",
  "extension/dist/modules.js",
  "extension/dist/sweep.js",
  "extension/dist/ThirdPartyNotices.txt",
  "extension/media/icon.png",
  "extension/media/activity.svg",
  "extension/media/sample/veomni.yaml",
];

/** What it may hold beside that. Anything else is a mistake in packaging. */
const allowed = [
  /^extension\.vsixmanifest$/,
  /^\[Content_Types\]\.xml$/,
  /^extension\/dist\/(webview|modules|sweep)\.css$/,
  /^extension\/media\/[\w-]+\.(svg|png|md)$/,
  /^extension\/media\/python\/\w+\.py$/,
  /^extension\/media\/(walkthrough|screenshots)\/[\w-]+\.(md|png|svg)$/,
  /^extension\/media\/sample\/(\.vscode\/)?[\w.-]+$/,
  /^extension\/media\/sample\/checkpoint\/[\w.-]+$/,
];

/**
 * Holds the contents of a .vsix against what it must and may hold.
 *
 * @param {readonly { name: string }[]} files
 * @param {boolean} isNeutral nothing native may be in it
 * @throws {StepFailed} with the names that are missing or that nobody asked for
 */
export function checkContents(files, isNeutral) {
  const names = files.map(({ name }) => name);
  const wanted = isNeutral ? required : [...required, ...nativeParts];
  const missing = wanted.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new StepFailed(`the .vsix lacks ${missing.join(", ")}`);
  const surplus = names.filter((name) => !wanted.includes(name) && !allowed.some((pattern) => pattern.test(name)));
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
async function checkPrograms(version, isNeutral) {
  const cli = [process.execPath, [join(dist, "cli.js"), "--version"]];
  const engine = [join(dist, "native", "offload-lens-engine"), ["--version"]];
  for (const [program, args] of isNeutral ? [cli] : [cli, engine]) {
    const { output } = await run(program, args, { quiet: true });
    if (!output.includes(version))
      throw new StepFailed(`${shown(program)} says "${output.trim()}" instead of ${version}`);
  }
}

/** A folder with what a package without native parts is made from: vsce packs a whole folder. */
function stageNeutral() {
  const folder = join(build, "neutral");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const name of ["package.json", "README.md", "CHANGELOG.md", "LICENSE", "media", "dist"]) {
    const filter = (source) => source !== join(dist, "native");
    cpSync(join(root, name), join(folder, name), { recursive: true, filter });
  }
  return folder;
}

/**
 * Builds everything for release and packs it.
 *
 * @param {{ neutral?: boolean }} [options] `neutral`: for every platform, without the native engine.
 * @returns {Promise<string>} path of the .vsix
 */
export async function packageExtension({ neutral = false } = {}) {
  const { name, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (!neutral) await shipNative();
  const inputs = await bundle({ release: true });
  if (!neutral) checkNativeHeaders(nativeBuilds.release.folder);
  writeFileSync(join(dist, "ThirdPartyNotices.txt"), thirdPartyNotices(inputs, neutral));
  await checkPrograms(version, neutral);
  const vsix = join(build, `${name}-${neutral ? "" : `${target}-`}${version}.vsix`);
  rmSync(vsix, { force: true });
  const options = ["--no-dependencies", "--allow-missing-repository", "--no-rewrite-relative-links", "--out", vsix];
  const platform = neutral ? [] : ["--target", target];
  const vsce = join(root, "node_modules", "@vscode", "vsce", "vsce");
  const cwd = neutral ? stageNeutral() : root;
  await run(process.execPath, [vsce, "package", ...platform, ...options], { cwd, quiet: true });
  const files = listZip(vsix);
  checkContents(files, neutral);
  const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(2)} MiB`;
  const unpackedBytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  console.log(
    `${shown(vsix)}: ${mebibytes(statSync(vsix).size)}, ${files.length} files, ${mebibytes(unpackedBytes)} unpacked`,
  );
  console.log(neutral ? "runs everywhere, without profiling" : `needs glibc ${await glibcFloor()} or newer`);
  return vsix;
}

if (isProgram(import.meta.url)) {
  await script(async () => {
    const neutral = process.argv.includes("--neutral");
    await setUp(neutral ? "check" : "build");
    section("Package");
    await packageExtension({ neutral });
  });
}
