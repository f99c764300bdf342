import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isProgram, run, StepFailed, script } from "./command.mjs";
import { compileNative, nativeBuilds } from "./native.mjs";
import { root } from "./places.mjs";

/*
 * What is known in one place and has to stand in another as text: a manifest and a README cannot import. Unit tests and a native
 * one say what is stale.
 *
 *   npm run derive
 */

const GPUS = "src/core/profile/simulatedGpus.json";
const STRATEGIES = "src/core/profile/strategies.json";
const OP_MODELS = "src/core/profile/opModels.json";

/**
 * Names of simulated GPUs, those with the most memory first, then the faster ones.
 *
 * @param {readonly { name: string, memoryBytes: number, matmulTflops: number }[]} profiles
 * @returns {string[]}
 */
export function gpuNames(profiles) {
  const gib = ({ memoryBytes }) => Math.round(memoryBytes / 2 ** 30);
  const largestFirst = (a, b) => gib(b) - gib(a) || b.matmulTflops - a.matmulTflops || (a.name < b.name ? -1 : 1);
  return [...profiles].sort(largestFirst).map(({ name }) => name);
}

/**
 * Sets of saved tensors by name, with whether kernels can compute them; those first.
 *
 * @param {readonly { name: string, isComputable: boolean }[]} models
 */
export function opModelsFrom(models) {
  const order = (a, b) => Number(b.isComputable) - Number(a.isComputable) || (a.name < b.name ? -1 : 1);
  return Object.fromEntries([...models].sort(order).map(({ name, isComputable }) => [name, { isComputable }]));
}

/**
 * package.json with the choices of its settings.
 *
 * @param {string} text
 * @param {{ gpus: readonly string[], strategies: Record<string, { runsByDefault: boolean }> }} known
 */
export function manifestWith(text, { gpus, strategies }) {
  const manifest = JSON.parse(text);
  const { "offloadLens.profile.strategies": chosen, "offloadLens.simulation.device": device } =
    manifest.contributes.configuration.properties;
  chosen.items.enum = Object.keys(strategies);
  chosen.default = Object.keys(strategies).filter((name) => strategies[name].runsByDefault);
  const names = gpus.map((name) => `\`${name}\``).join(", ");
  device.markdownDescription = between(device.markdownDescription, "simulate: ", ", or the path", names);
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** README with the lists of its table. */
export function readmeWith(text, { gpus, strategies }) {
  const names = Object.keys(strategies).map((name) => `\`${name}\``);
  const listed = `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const withGpus = between(text, "| Simulation    | ", " or a GPU that", gpus.join(", "));
  return aligned(between(withGpus, "| Engine        | ", ", with and without gradient checkpointing", listed));
}

/** The table of both lists as the formatter wants it: all cells of a column are as wide as the widest. */
function aligned(text) {
  const lines = text.split("\n");
  const isRow = (line) => line?.startsWith("| ") ?? false;
  const inTable = lines.findIndex((line) => line.startsWith("| Simulation "));
  const first = lines.findLastIndex((line, at) => at < inTable && !isRow(line)) + 1;
  const end = lines.findIndex((line, at) => at > inTable && !isRow(line));
  const table = lines.slice(first, end).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const isRule = (cell) => /^-+$/.test(cell);
  const widths = table[0].map((_, column) =>
    Math.max(...table.map((row) => (isRule(row[column]) ? 0 : row[column].length))),
  );
  const padded = (cell, column) => (isRule(cell) ? "-".repeat(widths[column]) : cell.padEnd(widths[column]));
  const rows = table.map((row) => `| ${row.map(padded).join(" | ")} |`);
  return [...lines.slice(0, first), ...rows, ...lines.slice(end)].join("\n");
}

function between(text, before, after, put) {
  const start = text.indexOf(before);
  const end = text.indexOf(after, start);
  if (start < 0 || end < 0) throw new StepFailed(`no "${before}…${after}" to put a list into`);
  return text.slice(0, start + before.length) + put + text.slice(end);
}

/**
 * Every derived text that no native build is needed for, as it is and as it has to be.
 *
 * @returns {{ path: string, is: string, has: string }[]}
 */
export function derivedTexts() {
  const read = (path) => readFileSync(join(root, path), "utf8");
  const gpus = gpuNames(jsonIn("native/sim/profiles"));
  const opModels = opModelsFrom(jsonIn("native/engine/model/op_models"));
  const known = { gpus, strategies: JSON.parse(read(STRATEGIES)) };
  return [
    { path: GPUS, is: read(GPUS), has: `${JSON.stringify(gpus)}\n` },
    { path: OP_MODELS, is: read(OP_MODELS), has: `${JSON.stringify(opModels, null, 2)}\n` },
    { path: "package.json", is: read("package.json"), has: manifestWith(read("package.json"), known) },
    { path: "README.md", is: read("README.md"), has: readmeWith(read("README.md"), known) },
  ];
}

function jsonIn(folder) {
  const files = readdirSync(join(root, folder)).filter((name) => name.endsWith(".json"));
  return files.map((name) => JSON.parse(readFileSync(join(root, folder, name), "utf8")));
}

async function derive() {
  // The table of strategies is C++: a program of three lines prints it.
  await compileNative("release", ["print_strategies"]);
  const { output } = await run(join(nativeBuilds.release.folder, "print_strategies"), [], { quiet: true });
  writeFileSync(join(root, STRATEGIES), output);
  for (const { path, is, has } of derivedTexts()) {
    if (is !== has) writeFileSync(join(root, path), has);
  }
}

if (isProgram(import.meta.url)) await script(derive);
