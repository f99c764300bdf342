import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const largestSeedBytes = 5_000;

/** @typedef {{ path: string, text: string }} Seed */

/** Every small YAML file below the folders, and some texts that hold what those files do not. */
export function seedsBelow(root, folders) {
  const seeds = [];
  const visit = (path) => {
    if (statSync(path).isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else if (/\.ya?ml$/.test(path) && statSync(path).size <= largestSeedBytes) {
      seeds.push({ path: path.slice(root.length + 1), text: readFileSync(path, "utf8") });
    }
  };
  for (const folder of folders) visit(join(root, folder));
  return [...seeds, ...written];
}

const verl = `actor_rollout_ref:
  model: &model
    path: "checkpoint" # where it is
    enable_gradient_checkpointing: true
  actor:
    strategy: veomni
    veomni: {strategy: veomni, activation_gpu_limit: 1.5, param_offload: false}
  ref:
    <<: *model
    veomni:
      strategy: veomni
      # a comment above
      activation_offload_modules: ["model.layers.*", 'lm_head'] # behind
      text: |
        kept
          deeper

      folded: >-
        one
        two
`;
const training = `%TAG ! tag:yaml.org,2002:
---
model:
  model_path: !!str Qwen3-8B
  note_x: "a text over
    two lines"
  ops_implementation: {attn_implementation: flash_attention_2, moe_implementation: 'fused'}
data:
  train_path: d
  plain: words that go
    on below
train:
  lr: 1e-5
  date: 2024-02-29
  ? max_steps
  : 0x10
  accelerator:
    fsdp_config: &fsdp
      fsdp_mode: fsdp2
    other: *fsdp
`;
const written = [
  { path: "written/verl.yaml", text: verl },
  { path: "written/training.yaml", text: training },
];

const breaks = ["\x85", "\u2028", "\u2029", "\r", "\r\n", "\n"];
const refused = ["\0", "\x1b", "\x7f", "\x80", "\x9f", "\ufffe", "\uffff", "\ud800"];
const harmless = ["\uFEFF", "\xa0", "\t", "😀", "é"];
const marks = [
  ..."\"'[]{},:#&*!|>%@`?-=~\\<. ",
  ...[
    "# c",
    ": ",
    "- ",
    "? ",
    "&a ",
    "*a",
    "!!str ",
    "!!int ",
    "!x ",
    "! ",
    "|\n",
    ">+\n",
    "<<: ",
    "\\u2028",
    "\\x",
    "''",
  ],
  ...[
    "%YAML 1.1\n---\n",
    "%TAG ! x\n",
    "%TAG ! x\n%TAG ! y\n---\n",
    "---\n",
    "...\n",
    "2024-13-01",
    "0b_",
    "1_0.5",
    "???",
  ],
];

/** A number from 0 (included) to 1, the same row for the same seed (mulberry32). */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A text with one to four changes: letters put in, lines copied, taken out, indented, ended otherwise. */
export function mutated(text, random) {
  let result = text;
  const changes = 1 + Math.floor(random() * 4);
  for (let change = 0; change < changes; change++) result = mutatedOnce(result, random);
  return result;
}

function mutatedOnce(text, random) {
  const pick = (from) => from[Math.floor(random() * from.length)];
  const at = placeIn(text, random);
  const kind = random();
  if (kind < 0.3)
    return text.slice(0, at) + pick(breaks) + (random() < 0.5 ? pick(inserted(random)) : "") + text.slice(at);
  if (kind < 0.36) return text.slice(0, at) + pick(refused) + text.slice(at);
  if (kind < 0.42) return text.slice(0, at) + pick(harmless) + text.slice(at);
  if (kind < 0.62) return text.slice(0, at) + pick(marks) + text.slice(at);
  if (kind < 0.68) return text.slice(0, at) + text.slice(at + 1 + Math.floor(random() * 4));
  if (kind < 0.74) return text.replaceAll("\n", pick(breaks));
  const lines = text.split("\n");
  const line = Math.floor(random() * lines.length);
  if (kind < 0.82) lines.splice(line, 0, lines[Math.floor(random() * lines.length)] ?? "");
  else if (kind < 0.88) lines.splice(line, 1);
  else if (kind < 0.94) lines[line] = ` ${lines[line] ?? ""}`;
  else lines[line] = (lines[line] ?? "").replace(/^ /, "");
  return lines.join("\n");
}

/** Often where a break would make hidden text live: in comments and quotes. */
function placeIn(text, random) {
  const anywhere = Math.floor(random() * (text.length + 1));
  if (random() < 0.5) return anywhere;
  const found = text.slice(anywhere).search(/#|"|'/);
  return found < 0 ? anywhere : Math.min(text.length, anywhere + found + 1 + Math.floor(random() * 4));
}

function inserted(random) {
  const indent = " ".repeat(2 * Math.floor(random() * 6));
  return [
    `${indent}param_offload: true #`,
    `${indent}model_path: EVIL #`,
    `${indent}# note`,
    `${indent}- x`,
    `${indent}`,
  ];
}
