import { readFileSync } from "node:fs";
import { commandHoverAt } from "../../../src/core/config/assist/commandHover.js";
import { complete } from "../../../src/core/config/assist/complete.js";
import { readingOf } from "../../../src/core/config/assist/documentReading.js";
import { hoverAt } from "../../../src/core/config/assist/hover.js";
import { patternOccurrences, renameEdit } from "../../../src/core/config/assist/renamePattern.js";
import { checkConfig } from "../../../src/core/config/check.js";
import type { TextEdit, TextSpan } from "../../../src/core/config/document/diagnostic.js";
import { migrateDocument } from "../../../src/core/config/migrate/migrateDocument.js";
import type { MigrationTarget } from "../../../src/core/config/migrate/migration.js";
import { type ReadConfig, readConfig, readOffloadSettings, settingsOf } from "../../../src/core/config/readConfig.js";
import { patternListEdit } from "../../../src/core/config/write/patternListEdit.js";
import { tinyModel } from "./assist/models.js";

/** A right file that is damaged: the path decides how it is read. */
export interface Seed {
  readonly path: string;
  readonly text: string;
}

function fixture(name: string, path: string): Seed {
  return { path, text: readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), "utf8") };
}

const script = [
  "#!/usr/bin/env bash",
  "set -x",
  "MODEL=${MODEL:-Qwen/Qwen3-8B} # a comment",
  'ROLLOUT="actor_rollout_ref.rollout.name=vllm actor_rollout_ref.rollout.n=4"',
  "ACTOR=(",
  "  actor_rollout_ref.actor.veomni.enable_async_activation_offload=true",
  "  'actor_rollout_ref.actor.veomni.activation_offload_modules=[\"model.layers.{*}\"]'",
  "  ++actor_rollout_ref.actor.veomni.activation_gpu_limit=1.5",
  ")",
  "for n in {0..3}; do echo $(date) `hostname`; done",
  "python3 -m verl.trainer.main_ppo --config-path=config model_engine=veomni \\",
  '  "${ACTOR[@]}" $ROLLOUT "$@" critic.veomni.seed=yes <<EOF',
  "text",
  "EOF",
  "torchrun --nproc_per_node=8 tasks/train_text.py configs/a.yaml \\",
  "  --model.accelerator.offload_config.enable_async_activation true --train.max_steps=10 \\",
  '  --model.accelerator.offload_config.activation_offload_modules "model.layers.{*}" visual.blocks.*',
  "",
].join("\n");

const guide = `# Run it\n\nText with \`code\` and a | table |\n\n${"```"}bash\n${script}${"```"}\n\n~~~sh\n$ python3 -m verl.trainer.main_ppo model_engine=veomni critic.veomni.param_offload=True\n~~~\n`;

/** One or more per dialect: verl in its forms, every layout of VeOmni's training YAML, scripts, Markdown, Hydra's record. */
export const seedsByDialect: Readonly<Record<string, readonly Seed[]>> = {
  verl: [
    fixture("config/composed.good.yaml", "composed.yaml"),
    fixture("config/engine.good.yaml", "verl/trainer/config/engine/veomni.yaml"),
    fixture("config/sft.good.yaml", "sft.yaml"),
    fixture("config/many.bad.yaml", "many.yaml"),
    fixture("config/migrate/verl.yaml", "old.yaml"),
  ],
  training: [
    fixture("config/migrate/flat.yaml", "flat.yaml"),
    fixture("config/migrate/flat-fsdp1.yaml", "fsdp1.yaml"),
    fixture("config/migrate/train-scoped.yaml", "train.yaml"),
    fixture("config/migrate/train-scoped+async.yaml", "async.yaml"),
    fixture("config/migrate/model-scoped.yaml", "model.yaml"),
    fixture("config/migrate/model-scoped+template.yaml", "template.yaml"),
    fixture("config/veomni/dpo.good.yaml", "configs/text/dpo.yaml"),
    fixture("config/veomni/many.bad.yaml", "many.yaml"),
  ],
  scripts: [
    { path: "run.sh", text: script },
    { path: "guide.md", text: guide },
    {
      path: "outputs/.hydra/overrides.yaml",
      text: "- model_engine=veomni\n- actor_rollout_ref.actor.veomni.activation_offload_modules=[\"model.layers.{*}\"]\n- '+critic.veomni.seed=1'\n",
    },
  ],
};

export const fragments: readonly string[] = [
  ..."{}[]\"'#|>%@`\t\r\0,\\$",
  "\n",
  "\n  ",
  "- ",
  ": ",
  "? ",
  "&a ",
  "*a",
  "<<: *a\n",
  "---\n",
  "!!str ",
  "${",
  "${a[@]}",
  "$(",
  "{0..9999999}",
  "<<EOF\n",
  "```\n",
  "{*}",
  "\uFEFF",
  "\uD800",
  "😀",
  "é".repeat(40),
  "9".repeat(400),
  "a.".repeat(60),
];

/** Cuts, doubles, swaps, inserts and splices at random places, one to five times. */
export function mutate(text: string, other: string, random: () => number): string {
  let result = text;
  for (let change = Math.floor(random() * 5); change >= 0; change--) {
    const at = Math.floor(random() * (result.length + 1));
    const length = Math.floor(random() * 60);
    const cut = result.slice(at, at + length);
    const choice = random();
    if (choice < 0.25) result = result.slice(0, at) + result.slice(at + length);
    else if (choice < 0.35) result = result.slice(0, at) + cut + result.slice(at);
    else if (choice < 0.45) result = result.slice(0, at) + [...cut].reverse().join("") + result.slice(at + length);
    else if (choice < 0.55) result = result.slice(0, at) + other.slice(at, at + 4 * length) + result.slice(at);
    else result = result.slice(0, at) + (fragments[Math.floor(random() * fragments.length)] ?? "") + result.slice(at);
  }
  return result;
}

const tree = tinyModel();

/** What the whole product does with a file: check, help at one place, rename, migrate. Broken promises are listed. */
export function exercise(path: string, text: string, offset: number, to: MigrationTarget): readonly string[] {
  const read = readConfig(path, text);
  return [
    ...checkProblems(read, text),
    ...helpProblems(read, text, offset),
    ...migrationProblems(path, text, to),
    ...settingsProblems(read, text),
  ];
}

/** Settings stand inside the text, and a list that is written anew is read back. */
function settingsProblems(read: ReadConfig | undefined, text: string): readonly string[] {
  const wanted = ["model.layers.{*}", "lm_head"];
  if (read === undefined) return [];
  return settingsOf(read).flatMap((settings, at) => {
    const { blockSpan, modulesKeySpan, modulesValueSpan } = settings;
    const outside = [blockSpan, modulesKeySpan, modulesValueSpan].some((span) => span && !isInside(span, text));
    const edit = patternListEdit(read, settings, wanted);
    if (outside || !edit.ok) return outside ? ["settings leave the text"] : [];
    if (!areApplicable([edit.value], text)) return ["the pattern list cannot be written"];
    const { span, newText } = edit.value;
    const changed = text.slice(0, span.start) + newText + text.slice(span.end);
    const isScript = read.commands !== undefined;
    const patterns = readOffloadSettings(read.path, changed)[at]?.patterns;
    return !isScript || JSON.stringify(patterns) === JSON.stringify(wanted)
      ? []
      : ["the written list is read otherwise"];
  });
}

function checkProblems(read: ReadConfig | undefined, text: string): readonly string[] {
  const found = read === undefined ? [] : checkConfig(read, { hostMemoryBytes: 2 ** 36 });
  return found.flatMap(({ code, span, fixes }) => [
    ...(isInside(span, text) ? [] : [`${code} leaves the text`]),
    ...fixes
      .filter(({ edits }) => !areApplicable(edits, text))
      .map(({ title }) => `${code}: ${title} cannot be applied`),
  ]);
}

function helpProblems(read: ReadConfig | undefined, text: string, offset: number): readonly string[] {
  const outline = read?.yaml && readingOf(read.yaml).outline;
  const spans = complete(text, offset, outline, tree).map(({ span }) => span);
  const commands = read?.commands;
  const ofCommand = commands && commandHoverAt(commands, offset);
  const hover = outline === undefined ? ofCommand : hoverAt(text, offset, { outline, tree });
  if (hover !== undefined) spans.push(hover.span);
  const places = read === undefined ? [] : patternOccurrences(read);
  for (const place of places.slice(0, 3)) renameEdit(place, text, "a.{*}");
  return spans.every((span) => isInside(span, text)) ? [] : ["help leaves the text"];
}

function migrationProblems(path: string, text: string, to: MigrationTarget): readonly string[] {
  const outcome = migrateDocument(path, text, to);
  return !outcome.ok || areApplicable(outcome.value.edits, text) ? [] : ["the migration cannot be applied"];
}

function isInside({ start, end }: TextSpan, text: string): boolean {
  return start >= 0 && start <= end && end <= text.length;
}

/** Inside the text and without overlap, as an editor demands. */
function areApplicable(edits: readonly TextEdit[], text: string): boolean {
  const spans = edits.map(({ span }) => span).sort((left, right) => left.start - right.start);
  return spans.every((span, at) => isInside(span, text) && (spans[at - 1]?.end ?? 0) <= span.start);
}
