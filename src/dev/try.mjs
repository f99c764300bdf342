import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.mjs";
import { isProgram, run, script, section } from "./command.mjs";
import { shipNative } from "./native.mjs";
import { build, dist, sample, shown } from "./places.mjs";
import { setUp } from "./setup.mjs";

/** Where the demonstration works: a copy, so that the sample in the repository stays as it is. */
export const tryFolder = join(build, "try", "sample");
const savedProfile = join(".offload-lens", "sample.offload");

/** Mistakes that people make, planted into a copy of the sample's configuration. */
const plantedMistakes = [
  ["enable_async_activation_offload: true", "enable_async_activation: true"],
  ["        - model.layers.{*}\n", ""],
  ["activation_offload_modules:", "activation_offload_modules: model.layers.*"],
  ["host_cache_limit_gb: 4.0", "host_cache_limit_gb: -1"],
];

/**
 * Shows the command as a user would type it, then runs it.
 *
 * @param {string[]} args
 * @param {number} expectedCode
 */
async function lens(args, expectedCode = 0) {
  console.log(`\n$ offload-lens ${args.map((arg) => (/[{}*]/.test(arg) ? `'${arg}'` : arg)).join(" ")}`);
  await run(process.execPath, [join(dist, "cli.js"), ...args], { cwd: tryFolder, accept: [expectedCode] });
}

function copySample() {
  rmSync(tryFolder, { recursive: true, force: true });
  mkdirSync(join(tryFolder, ".offload-lens"), { recursive: true });
  cpSync(sample, tryFolder, { recursive: true });
}

function writeMistakes() {
  let text = readFileSync(join(sample, "veomni.yaml"), "utf8");
  for (const [right, wrong] of plantedMistakes) {
    if (!text.includes(right)) throw new Error(`the sample no longer holds ${JSON.stringify(right)}`);
    text = text.replace(right, wrong);
  }
  writeFileSync(join(tryFolder, "mistakes.yaml"), text);
}

/** `npm run try`: the main job without an editor, on the sample. */
async function demonstrate() {
  await setUp("build");
  section("Build (the C++ engine takes a minute or two the first time)");
  await shipNative();
  await bundle();

  section("Is the configuration right?");
  copySample();
  await lens(["check", "veomni.yaml"]);
  writeMistakes();
  console.log("\nThe same file with mistakes planted, so that there is something to find:");
  await lens(["check", "mistakes.yaml"], 1);
  rmSync(join(tryFolder, "mistakes.yaml"));

  section("What will it touch?");
  await lens(["match", "--model", "checkpoint", "--config", "veomni.yaml"]);

  section("Does it pay?");
  const strategies = ["--strategy", "none", "--strategy", "veomni_async", "--gc", "both"];
  const workload = ["--seq", "256", "--micro-batch", "2", "--steps", "5"];
  const where = ["--model", "checkpoint", "--config", "veomni.yaml", "--device", "cpu"];
  await lens(["profile", ...where, ...strategies, ...workload, "--out", savedProfile]);
  const saved = join(tryFolder, savedProfile);
  if (!existsSync(saved)) throw new Error(`${saved} was not written`);

  console.log(`\nThe profile is saved in ${shown(saved)}.`);
  console.log("To look at it: `npm run open` serves a VS Code with the extension and this sample on 127.0.0.1.");
}

if (isProgram(import.meta.url)) await script(demonstrate);
