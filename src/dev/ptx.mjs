import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { isProgram, run, StepFailed, script } from "./command.mjs";
import { root, shown } from "./places.mjs";

/*
 * The checked-in PTX of the CUDA kernels, for builds without nvcc and for GPUs that have no machine code in the package.
 *
 *   node src/dev/ptx.mjs           compile anew what is stale (needs nvcc), or everything with --all
 *   node src/dev/ptx.mjs --check   every PTX belongs to its sources as they are; with the same nvcc also text by text
 *
 * nvcc writes the newest `.version`, which old drivers refuse. The oldest with which ptxas still assembles the text for every
 * generation takes its place: the directive says nothing but which instructions may occur.
 */

const kernels = join(root, "native", "cuda", "kernels");
const folder = join(root, "native", "cuda", "ptx");
const manifestPath = join(folder, "manifest.json");
const versions = ["7.0", "7.1", "7.2", "7.4", "7.8", "8.0"];
const architectures = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"];

/** Sources that have PTX: those for sm_90a alone have none. */
function sources() {
  return readdirSync(kernels)
    .filter((name) => name.endsWith(".cu") && !name.endsWith("_hopper.cu"))
    .sort();
}

/** A source with everything that it includes from its own folder, once each. */
function withHeaders(path, seen = new Set()) {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, name] of readFileSync(path, "utf8").matchAll(/^#include "([^"]+)"/gm)) {
    const included = [join(dirname(path), name), join(root, "native", name)].find((each) => existsSync(each));
    if (included !== undefined) withHeaders(included, seen);
  }
  return seen;
}

/** Changes whenever the text of a source or of a header of it does. */
function hashOf(name) {
  const hash = createHash("sha256");
  for (const path of [...withHeaders(join(kernels, name))].sort()) {
    hash.update(basename(path)).update("\0").update(readFileSync(path)).update("\0");
  }
  return hash.digest("hex");
}

function readManifest() {
  return existsSync(manifestPath) ? JSON.parse(readFileSync(manifestPath, "utf8")) : { nvcc: "", sources: {} };
}

/** "13.0.88", or undefined without nvcc. */
async function nvccVersion() {
  try {
    const { output } = await run("nvcc", ["--version"], { quiet: true });
    return /V(\d+\.\d+\.\d+)/.exec(output)?.[1];
  } catch (error) {
    if (error instanceof StepFailed) return undefined;
    throw error;
  }
}

/** Without comments, empty lines, the spaces that indent, and the hash of the checkout's folder in names of internal symbols. */
function plain(ptx) {
  return ptx
    .replace(/\/\/.*$/gm, "")
    .replace(/(_INTERNAL_|_GLOBAL__N__)[0-9a-f]{8}(?=_)/g, "$100000000")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

async function assembles(path, scratch) {
  for (const architecture of architectures) {
    const args = [`-arch=${architecture}`, "-O0", "-o", join(scratch, "out.cubin"), path];
    const { code } = await run("ptxas", args, { quiet: true, accept: [0, 1, 255] });
    if (code !== 0) return false;
  }
  return true;
}

/** @returns {Promise<{ text: string, version: string }>} */
async function compile(name, knownVersion) {
  const scratch = mkdtempSync(join(tmpdir(), "offload-ptx-"));
  try {
    const path = join(scratch, "out.ptx");
    const args = ["-ptx", "-std=c++20", "-O3", "-arch=compute_80", `-I${join(root, "native")}`, "-o", path];
    await run("nvcc", [...args, join(kernels, name)], { quiet: true });
    const written = plain(readFileSync(path, "utf8"));
    const withVersion = (version) => `${written.replace(/^\.version .*$/m, `.version ${version}`)}\n`;
    if (knownVersion !== undefined) return { text: withVersion(knownVersion), version: knownVersion };
    for (const version of versions) {
      writeFileSync(path, withVersion(version));
      if (await assembles(path, scratch)) return { text: withVersion(version), version };
    }
    throw new StepFailed(`${name}: ptxas takes it with none of the versions ${versions.join(", ")}`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const ptxPath = (name) => join(folder, name.replace(/\.cu$/, ".ptx"));

async function refresh(everything) {
  const nvcc = await nvccVersion();
  if (nvcc === undefined) throw new StepFailed("nvcc is not installed: PTX cannot be made here");
  mkdirSync(folder, { recursive: true });
  const before = readManifest();
  const manifest = { nvcc, sources: {} };
  for (const name of sources()) {
    const hash = hashOf(name);
    const known = before.sources[name];
    if (!everything && before.nvcc === nvcc && known?.sha256 === hash && existsSync(ptxPath(name))) {
      manifest.sources[name] = known;
      continue;
    }
    const { text, version } = await compile(name);
    writeFileSync(ptxPath(name), text);
    manifest.sources[name] = { sha256: hash, version, ptxSha256: createHash("sha256").update(text).digest("hex") };
    console.log(`${shown(ptxPath(name))}: version ${version}, ${Math.round(text.length / 1024)} KiB`);
  }
  for (const file of readdirSync(folder)) {
    if (file.endsWith(".ptx") && !(file.replace(/\.ptx$/, ".cu") in manifest.sources)) rmSync(join(folder, file));
  }
  writeFileSync(manifestPath, `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** What is wrong with the PTX of one source, or undefined. */
async function faultOf(name, manifest, compiler) {
  const known = manifest.sources[name];
  if (known === undefined || !existsSync(ptxPath(name))) return "has no PTX";
  if (known.sha256 !== hashOf(name)) return "has changed since its PTX was made";
  const text = readFileSync(ptxPath(name), "utf8");
  if (createHash("sha256").update(text).digest("hex") !== known.ptxSha256) return "has a PTX that was edited";
  if (!text.includes(`.version ${known.version}\n`)) return "has a PTX of another version than noted";
  if (compiler === manifest.nvcc && (await compile(name, known.version)).text !== text)
    return "compiles to another PTX now";
  return undefined;
}

async function check() {
  const manifest = readManifest();
  const compiler = await nvccVersion();
  const names = sources();
  const faults = [];
  for (const name of names) {
    const fault = await faultOf(name, manifest, compiler);
    if (fault !== undefined) faults.push(`${name} ${fault}`);
  }
  for (const name of Object.keys(manifest.sources))
    if (!names.includes(name)) faults.push(`${name} is gone, its PTX is not`);
  if (faults.length > 0) throw new StepFailed(`${faults.join("; ")}: run \`node src/dev/ptx.mjs\` where nvcc is`);
  const how =
    compiler === manifest.nvcc
      ? "sources and text"
      : `sources; text not compared, since nvcc is ${compiler ?? "absent"}`;
  console.log(`PTX of ${names.length} kernels is fresh (${how})`);
}

if (isProgram(import.meta.url)) {
  await script(() => (process.argv.includes("--check") ? check() : refresh(process.argv.includes("--all"))));
}
