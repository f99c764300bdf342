import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { cacheFolder, loadAll, pythonWithLoaders } from "./python.mjs";
import { sameValue } from "./sameValue.mjs";
import { changesOf } from "./yamlChanges.mjs";
import { mutated, seededRandom, seedsBelow } from "./yamlTexts.mjs";

/*
 * Damaged configurations through PyYAML and through ours: both load the same texts, with the same values; what we change (migrate,
 * quick fixes, a written choice) still loads and says nothing new. `--count`, `--seed`; `--record FILE` writes texts with PyYAML's
 * answers for the unit test.
 */

const root = join(import.meta.dirname, "..", "..");
const slowestMs = 5_000;

/** Texts where both answers are known to differ, with the reason. */
const knownDifferences = [
  [/TOO_DEEP|TOO_LONG/, "we do not read texts that nest more than 100 levels deep, or of more than 4 MiB"],
  [/RECURSIVE_ALIAS/, "PyYAML builds what holds itself; OmegaConf then never ends"],
];

const { values: flags } = parseArgs({
  options: {
    count: { type: "string", default: "1500" },
    seed: { type: "string", default: "11" },
    record: { type: "string" },
  },
});

const made = pythonWithLoaders();
if (made.problem !== undefined) {
  console.log(`YAML fuzz skipped: ${made.problem}`);
  process.exit(0);
}
process.exit(await main(made.python));

async function main(python) {
  const ours = await bundled();
  const random = seededRandom(Number(flags.seed));
  const seeds = seedsBelow(root, ["test/fixtures", "media/sample"]);
  const cases = [...seeds];
  while (cases.length < Number(flags.count)) {
    const { path, text } = seeds[Math.floor(random() * seeds.length)];
    cases.push({ path, text: mutated(text, random) });
  }
  const requests = cases.flatMap(({ text }) => ["pyyaml", "omegaconf"].map((reader) => ({ text, reader })));
  const answers = loadAll(python, requests);
  const failures = requests.flatMap((request, at) => differences(ours, request, answers[at]));
  const changed = cases.flatMap((each, at) =>
    timed(each, () => changesOf(ours, each, answers[2 * at], answers[2 * at + 1])),
  );
  failures.push(...changed.filter((change) => change.failure).map((change) => `${change.failure}: ${shown(change)}`));
  const tried = changed.filter((change) => change.judge !== undefined);
  const after = loadAll(
    python,
    tried.map(({ text, reader }) => ({ text, reader })),
  );
  for (const [at, change] of tried.entries()) {
    const failure = change.judge(after[at]);
    if (failure !== undefined) failures.push(`${failure}: ${shown(change)}`);
  }
  if (flags.record !== undefined) record(requests, answers);
  const loading = answers.filter(({ loads }) => loads).length;
  console.log(
    `${cases.length} texts, ${loading} of ${answers.length} readings load, ${tried.length} changed texts loaded again`,
  );
  for (const failure of failures.slice(0, 20)) console.log(failure);
  console.log(failures.length === 0 ? "no difference" : `${failures.length} differences`);
  return failures.length === 0 ? 0 : 1;
}

async function bundled() {
  const { build } = await import("esbuild");
  const outfile = join(cacheFolder(), "entry.cjs");
  mkdirSync(cacheFolder(), { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: ["test/fuzz/entry.ts"],
    outfile,
    bundle: true,
    format: "cjs",
    platform: "node",
    logLevel: "warning",
  });
  return (await import(pathToFileURL(outfile).href)).default;
}

function differences(ours, { text, reader }, answer) {
  const document = ours.parseConfig(text, reader);
  const codes = document.syntaxProblems.map(({ code }) => code).join(" ");
  if (knownDifferences.some(([pattern]) => pattern.test(codes))) return [];
  const loads = document.syntaxProblems.length === 0 && (reader === "pyyaml" || document.duplicateKeys.length === 0);
  if (loads !== answer.loads) {
    const said = document.syntaxProblems[0]?.message ?? "it loads, or has a key twice";
    return [`${reader}: PyYAML says ${answer.error ?? "it loads"}, we say ${said}: ${JSON.stringify(text)}`];
  }
  const value = ours.taggedValue(document.root);
  // A key that is an alias is no key to us: nothing can be renamed there.
  if (!loads || /\*[\w-]+[ \t]*:|\?\s*\*/.test(text) || sameValue(value, answer.value)) return [];
  return [
    `${reader}: PyYAML reads ${JSON.stringify(answer.value)}, we ${JSON.stringify(value)}: ${JSON.stringify(text)}`,
  ];
}

function timed(each, work) {
  const start = performance.now();
  try {
    const found = work();
    const took = performance.now() - start;
    return took > slowestMs ? [...found, { ...each, failure: `took ${Math.round(took)} ms` }] : found;
  } catch (error) {
    return [{ ...each, failure: `throws ${error.stack?.slice(0, 300)}` }];
  }
}

function shown({ path, what, before, text }) {
  return `${what ?? ""} ${path} ${JSON.stringify(before ?? text)} -> ${JSON.stringify(text)}`;
}

/** Short texts of both kinds, as many that load as that do not. */
function record(requests, answers) {
  const rows = requests.map((request, at) => ({ ...request, ...answers[at] })).filter(({ text }) => text.length < 700);
  const chosen = [true, false].flatMap((loads) => rows.filter((row) => row.loads === loads).slice(0, 200));
  writeFileSync(flags.record, `[\n${chosen.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`);
}
