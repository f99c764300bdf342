import { leavesOf } from "./sameValue.mjs";

const point = { gradientCheckpointing: true, microBatch: 1 };
const choices = [
  { ...point, strategy: "veomni_async", patterns: ["model.layers.{*}"], cacheLimitGb: 2 },
  { ...point, strategy: "none" },
];

/**
 * Everything that we would change in a text: conversions, quick fixes, written choices. Each with `judge`, which takes what the
 * loader says to the changed text and gives the fault; or with `failure` right away.
 */
export function changesOf(ours, { path, text }, pyyaml, omegaconf) {
  const isTraining = isLayout(ours.checkDocument(path, text)?.dialect);
  const reader = isTraining ? "pyyaml" : "omegaconf";
  const before = isTraining ? pyyaml : omegaconf;
  const base = { path, before: text, reader };
  return [
    ...checked(ours, { path, text }, before, base),
    ...converted(ours, { path, text }, { pyyaml, omegaconf }, base),
    ...fixed(ours, { path, text }, before, base),
    ...chosen(ours, { path, text }, before, base),
  ];
}

function isLayout(dialect) {
  return dialect !== undefined && dialect !== "verl";
}

/** A file that we check has an error when it does not load, and none of syntax when it does. */
function checked(ours, { path, text }, before, base) {
  const diagnostics = ours.checkDocument(path, text)?.diagnostics;
  if (diagnostics === undefined) return [];
  const isGenerated = diagnostics.length === 0 && /generated/i.test(path);
  if (!before.loads && !isGenerated && !diagnostics.some(({ severity }) => severity === "error")) {
    return [{ ...base, text, what: "check", failure: `check is silent while the loader says ${before.error}` }];
  }
  const syntax = diagnostics.find(({ code }) => code === "yaml-syntax");
  if (!before.loads || syntax === undefined || /100 levels|holds|names/.test(syntax.message)) return [];
  return [{ ...base, text, what: "check", failure: `check says ${syntax.message} of a text that loads` }];
}

function converted(ours, { path, text }, answers, base) {
  return ours.migrationTargets.flatMap((target) => {
    const outcome = ours.migrateDocument(path, text, target);
    if (!outcome.ok || outcome.value.text === text) return [];
    const { homeless, changed, edits } = outcome.value;
    const reader = target === "verl" ? "omegaconf" : "pyyaml";
    const before = answers[reader];
    const after = { ...base, reader, text: outcome.value.text, what: `migrate ${target}` };
    // Keys that stand twice are ours to report, but no reason not to rename them.
    if (!before.loads && /duplicate key/.test(before.error)) return [];
    if (!before.loads) return [{ ...after, failure: "converts what does not load" }];
    if (edits.reduceRight((result, edit) => applied(result, edit), text) !== after.text) {
      return [{ ...after, failure: "the edits are not the text" }];
    }
    const mayGain = target === "verl" ? /offload|: false$|: true$/ : undefined;
    return [{ ...after, judge: (answer) => faultOf(before, answer, { homeless, changed, mayGain }) }];
  });
}

function faultOf(before, answer, { homeless, changed, mayGain }) {
  if (!answer.loads) return `does not load afterwards (${answer.error})`;
  const old = leavesOf(before.value);
  const now = leavesOf(answer.value);
  const gained = without(now, old).filter((leaf) => mayGain === undefined || !mayGain.test(leaf));
  const lost = without(old, now).length;
  if (gained.length > changed.length + renamed(gained, without(old, now)))
    return `says something new: ${gained.join("; ")}`;
  const mayLose = homeless.length + changed.length;
  return mayLose === 0 && mayGain === undefined && lost > renamed(without(old, now), gained)
    ? "loses values"
    : undefined;
}

/** How many leaves of one list stand in the other under another key, or are only an empty block. */
function renamed(leaves, others) {
  const values = others.map((leaf) => leaf.slice(leaf.indexOf(": ")));
  return leaves.filter(
    (leaf) => values.includes(leaf.slice(leaf.indexOf(": "))) || / (?:null|\["m",\{\}\])$/.test(leaf),
  ).length;
}

function without(leaves, taken) {
  const left = [...taken];
  return leaves.filter((leaf) => {
    const at = left.indexOf(leaf);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** A fix of a file that loads leaves one that loads. */
function fixed(ours, { path, text }, before, base) {
  if (!before.loads) return [];
  const diagnostics = ours.checkDocument(path, text)?.diagnostics ?? [];
  return diagnostics
    .flatMap(({ code, fixes }) => fixes.map((fix) => ({ code, fix })))
    .slice(0, 6)
    .map(({ code, fix }) => {
      const edits = [...fix.edits].sort((left, right) => right.span.start - left.span.start);
      const after = edits.reduce(applied, text);
      const judge = (answer) => (answer.loads ? undefined : `does not load afterwards (${answer.error})`);
      return { ...base, text: after, what: `fix ${code}, ${fix.title}`, judge };
    });
}

function chosen(ours, { path, text }, before, base) {
  if (!before.loads) return [];
  const blocks = ours.readOffloadSettings(path, text).slice(0, 2);
  return blocks.flatMap(({ blockPath }) =>
    choices.flatMap((choice) => {
      const outcome = ours.choiceEdit(path, ours.readConfig(path, text), blockPath, choice);
      if (!outcome.ok) return [];
      const judge = (answer) => faultOfChoice(before, answer);
      return [{ ...base, text: applied(text, outcome.value.edit), what: `write ${choice.strategy}`, judge }];
    }),
  );
}

/** A choice writes offload keys and checkpointing, which is `gradient_checkpointing.enable` in newer layouts. */
function faultOfChoice(before, answer) {
  if (!answer.loads) return `does not load afterwards (${answer.error})`;
  const gained = without(leavesOf(answer.value), leavesOf(before.value));
  const strange = gained.filter(
    (leaf) => !/^(?:enable: true$|enable_|activation_|.*offload|.*checkpointing|.*: \["m",\{\}\]$)/.test(leaf),
  );
  return strange.length === 0 ? undefined : `says something new: ${strange.join("; ")}`;
}

function applied(text, { span, newText }) {
  return text.slice(0, span.start) + newText + text.slice(span.end);
}
