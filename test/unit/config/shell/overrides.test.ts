// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test write ${…} themselves
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { describeValue } from "../../../../src/core/config/hydra/value.js";
import { type Override, readOverrides } from "../../../../src/core/config/shell/overrides.js";
import { seeded } from "./bashOracle.js";

function fixture(name: string): string {
  return readFileSync(new URL(`../../../fixtures/shell/${name}`, import.meta.url), "utf8");
}

const LIST_KEY = "actor_rollout_ref.actor.veomni.activation_offload_modules";

/** A script that hands `argument` to verl, with `before` in front. */
function script(argument: string, before = ""): string {
  return `${before}python3 -m verl.trainer.main_ppo model_engine=veomni ${argument}\n`;
}

function readAll(text: string, path = "run.sh"): readonly Override[] {
  return readOverrides(path, text).filter((override) => override.keyPath !== "model_engine");
}

function only(text: string): Override {
  const [first] = readAll(text);
  if (first === undefined) throw new Error(`no override in ${text}`);
  return first;
}

function verdict(override: Override): string {
  return override.value === undefined ? `error ${override.error?.code}` : describeValue(override.value);
}

function applied(text: string, override: Override): string {
  const fix = override.trap?.fix ?? override.error?.fix;
  if (fix === undefined) throw new Error("there is no fix");
  const edits = [...fix.edits].sort((a, b) => b.span.start - a.span.start);
  return edits.reduce((done, { span, newText }) => done.slice(0, span.start) + newText + done.slice(span.end), text);
}

interface Row {
  readonly argument: string;
  readonly before?: string;
  readonly verdict: string;
  readonly trap?: string;
  /** What the value is after the fix. */
  readonly fixed?: string;
  /** The source of the value. */
  readonly value?: string;
}

const GROUP = '["model.layers.{*}"]';

/** What stands in the script and what becomes of it: the table of the shell layer, run in bash, and its neighbours. */
const ROWS: readonly Row[] = [
  { argument: `k=${GROUP}`, verdict: "error BRACE_UNQUOTED", trap: "quotes-lost", fixed: GROUP, value: GROUP },
  { argument: `k='${GROUP}'`, verdict: GROUP, value: `'${GROUP}'` },
  { argument: `'k=${GROUP}'`, verdict: GROUP, value: GROUP },
  { argument: '"k=[\\"model.layers.{*}\\"]"', verdict: GROUP, value: '[\\"model.layers.{*}\\"]' },
  {
    before: `V="k='[\\"model.layers.{*}\\"]'"\n`,
    argument: "$V",
    verdict: '"[\\"model.layers.{*}\\"]"',
    trap: "string-instead-of-list",
    fixed: GROUP,
    value: `'[\\"model.layers.{*}\\"]'`,
  },
  { before: 'V="k=[\\"model.layers.{*}\\"]"\n', argument: "$V", verdict: GROUP, value: '[\\"model.layers.{*}\\"]' },
  {
    before: 'V="a=1 k=["model.layers.{*}"]"\n',
    argument: "$V",
    verdict: "1",
  },
  { before: `A=( k='${GROUP}' )\n`, argument: '"${A[@]}"', verdict: GROUP, value: `'${GROUP}'` },
  {
    before: `A=( k=${GROUP} )\n`,
    argument: '"${A[@]}"',
    verdict: "error BRACE_UNQUOTED",
    trap: "quotes-lost",
    fixed: GROUP,
    value: GROUP,
  },
  {
    argument: 'k=["a", "b"]',
    verdict: "error ELEMENT_MISSING",
    trap: "word-split",
    fixed: '["a", "b"]',
    value: '["a", "b"]',
  },
  { argument: "k=[a, b]", verdict: "error ELEMENT_MISSING", trap: "word-split", fixed: '["a", "b"]' },
  {
    before: `L='["a", "b"]'\n`,
    argument: "k=$L",
    verdict: "error ELEMENT_MISSING",
    trap: "word-split",
    fixed: '["a", "b"]',
  },
  {
    argument: "k=model.layers.{0,1}",
    verdict: '"model.layers.0"',
    trap: "brace-expansion",
    fixed: '["model.layers.0", "model.layers.1"]',
    value: "model.layers.{0,1}",
  },
  { argument: "k={a:1,b:2}", verdict: '"a:1"', trap: "brace-expansion", fixed: "{a: 1, b: 2}" },
  {
    argument: '"k=${x.y}"',
    verdict: "error BAD_SUBSTITUTION",
    trap: "bad-substitution",
    fixed: '"${x.y}"',
  },
  { argument: "k=${.y}", verdict: "error BAD_SUBSTITUTION", trap: "bad-substitution", fixed: '"${.y}"' },
  { argument: "'k=${x.y}'", verdict: '"${x.y}"' },
  { argument: "k=no", verdict: '"no"', trap: "truthy-word", fixed: "false", value: "no" },
  { argument: 'k="On"', verdict: '"On"', trap: "truthy-word", fixed: "true", value: '"On"' },
  { argument: "k=false", verdict: "false" },
  {
    argument: `${LIST_KEY}=model.layers.*`,
    verdict: '"model.layers.*"',
    trap: "string-instead-of-list",
    fixed: '["model.layers.*"]',
  },
  { argument: `${LIST_KEY}=`, verdict: '""', trap: "string-instead-of-list", fixed: "[]" },
  { argument: `${LIST_KEY}=model.layers.{*}`, verdict: "error BRACE_UNQUOTED", fixed: GROUP },
  { argument: `${LIST_KEY}=[model.layers.[0-3]]`, verdict: "error BRACKET_UNQUOTED", fixed: '["model.layers.[0-3]"]' },
  { argument: `${LIST_KEY}=a,b`, verdict: "error SWEEP_IN_SINGLE_RUN", fixed: '["a", "b"]' },
  { argument: `'${LIST_KEY}=\${a.b}'`, verdict: '"${a.b}"' },
  { argument: "k.0=x", verdict: "error LIST_INDEX_IN_KEY" },
  { argument: "trainer.logger=['console','wandb']", verdict: '["console", "wandb"]', value: "['console','wandb']" },
  { argument: 'k="$(nproc)"', verdict: "a value that is known only at run time" },
  { argument: "k=[$N,b]", verdict: '[a value that is known only at run time, "b"]' },
  { argument: "k=a,b -m", verdict: 'a sweep over "a", "b"' },
];

describe("from the script to Hydra", () => {
  it.each(ROWS)("$argument", (row) => {
    const text = script(row.argument, row.before);
    const override = only(text);
    expect(verdict(override)).toBe(row.verdict);
    expect(override.trap?.code).toBe(row.trap);
    if (row.value !== undefined) {
      expect(text.slice(override.valueSpan.start, override.valueSpan.end)).toBe(row.value);
    }
    if (row.fixed === undefined) return;
    const after = only(applied(text, override));
    expect(verdict(after)).toBe(row.fixed);
    expect(after.trap).toBeUndefined();
    expect(after.keyPath).toBe(override.keyPath);
  });

  it("finds quotes that an inner pair of quotes takes away", () => {
    const text = script("$V", 'V="a=1 k=["model.layers.{*}"] b=2"\n');
    const [, broken] = readAll(text);
    expect(broken?.trap?.code).toBe("quotes-lost");
    const [, mended, last] = readAll(applied(text, broken ?? only("")));
    expect(mended && verdict(mended)).toBe(GROUP);
    expect(last && verdict(last)).toBe("2");
  });

  it("says where keys and items stand", () => {
    const text = script(`+${LIST_KEY}='["a.*", b]'`);
    const override = only(text);
    expect(override.operator).toBe("add");
    expect(text.slice(override.keySpan.start, override.keySpan.end)).toBe(LIST_KEY);
    const items = override.value?.kind === "list" ? override.value.items : [];
    expect(items.map(({ span }) => text.slice(span.start, span.end))).toEqual(['"a.*"', "b"]);
  });

  it("says when a comment cut the command off", () => {
    const text = script("a=1 \\\n  # why\n  b.veomni.x=2 \\\n  c=3");
    expect(readAll(text).map((override) => [override.keyPath, override.trap?.code])).toEqual([
      ["a", undefined],
      ["b.veomni.x", "cut-off"],
      ["c", undefined],
    ]);
  });

  it("asks what a key expects", () => {
    const text = script("name=no flag=off list=x");
    const known = readOverrides("a.sh", text, (_, key) =>
      key === "list" ? "list" : key === "flag" ? "bool" : "other",
    );
    expect(known.map((override) => override.trap?.code)).toEqual([
      undefined,
      undefined,
      "truthy-word",
      "string-instead-of-list",
    ]);
  });
});

describe("whole files", () => {
  const byKey = (overrides: readonly Override[]) => new Map(overrides.map((one) => [one.keyPath, verdict(one)]));

  it("reads settings out of arrays", () => {
    const found = byKey(readOverrides("x/grpo_arrays.sh", fixture("grpo_arrays.sh")));
    expect(found.get(LIST_KEY)).toBe(GROUP);
    expect(found.get("actor_rollout_ref.actor.veomni.ulysses_parallel_size")).toBe(
      "a value that is known only at run time",
    );
    expect(found.has("actor_rollout_ref.actor.veomni.optimizer_offload")).toBe(false);
    expect(found.get("actor_rollout_ref.rollout.engine_kwargs.vllm.kv_cache_dtype")).toBe('"fp8"');
    expect(found.get("trainer.n_gpus_per_node")).toBe("8");
    expect(found.size).toBe(13);
  });

  it("reads settings out of long strings and their branches", () => {
    const overrides = readOverrides("sft_strings.sh", fixture("sft_strings.sh"));
    const found = byKey(overrides);
    expect(found.get("engine.activation_offload_modules")).toBe(GROUP);
    expect(found.get("optim.betas")).toBe("[0.9, 0.95]");
    expect(found.get("trainer.resume_mode")).toBe('"disable"');
    expect(found.has("trainer.total_training_steps")).toBe(false);
    expect(overrides.find((one) => one.keyPath === "engine.strategy")?.alternative).toBe(1);
    expect(overrides.find((one) => one.keyPath === "engine")?.assumesDefault).toBe(true);
  });

  it("reads every branch that calls the trainer", () => {
    const overrides = readOverrides("ppo_branches.sh", fixture("ppo_branches.sh"));
    expect(new Set(overrides.map((one) => one.call))).toEqual(new Set([0, 1]));
    const contents = overrides.filter((one) => one.keyPath === "tool.contents").map(verdict);
    expect(contents).toEqual(['["cuda"]', '["npu", "cpu"]']);
  });

  it("reads the flags of VeOmni", () => {
    const overrides = readOverrides("veomni_task.sh", fixture("veomni_task.sh"));
    const offload = "train.accelerator.offload_config";
    expect(overrides.map((one) => [one.dialect, one.operator, one.keyPath, verdict(one)])).toEqual([
      ["veomni", "flag", `${offload}.enable_async_activation`, '"true"'],
      ["veomni", "flag", `${offload}.activation_offload_modules`, '["model.layers.{*}", "visual.blocks.*"]'],
      ["veomni", "flag", "train.global_batch_size", '"16"'],
      ["veomni", "flag", "train.enable_profiling", "true"],
      ["veomni", "flag", "train.wandb", '"no"'],
    ]);
  });

  it("reads shell blocks of Markdown and nothing else of it", () => {
    const text = fixture("readme.md");
    const overrides = readAll(text, "README.md");
    expect(overrides.map((one) => [one.keyPath, one.trap?.code])).toEqual([
      [LIST_KEY, "quotes-lost"],
      ["critic.veomni.fsdp_size", undefined],
    ]);
    const [first] = overrides;
    expect(first && text.slice(first.valueSpan.start, first.valueSpan.end)).toBe(GROUP);
  });

  it("reads the list that Hydra saves", () => {
    const text = "- model_engine=veomni\n- 'k=[\"a.{*}\"]'\n- critic.veomni.x=[a.{*}]\n";
    const overrides = readAll(text, "outputs/.hydra/overrides.yaml");
    expect(overrides.map(verdict)).toEqual(['["a.{*}"]', "error BRACE_UNQUOTED"]);
    expect(text.slice(overrides[1]?.error?.span.start, overrides[1]?.error?.span.end)).toBe("{");
  });

  it.each([
    [
      "run.sh",
      "python3 -m verl.trainer.main_ppo model_engine=megatron actor_rollout_ref.model.enable_activation_offload=True",
    ],
    ["run.sh", "python3 train.py lr=1 k=no"],
    ["run.py", "model_engine=veomni critic.veomni.x=1"],
    ["overrides.yaml", "- critic.veomni.x=1"],
    ["out/.hydra/overrides.yaml", "- lr=1"],
    ["out/.hydra/overrides.yaml", "a: [model_engine=veomni"],
  ])("finds nothing in %s: %s", (path, text) => {
    expect(readOverrides(path, text)).toEqual([]);
  });
});

describe("any text", () => {
  it("never throws and keeps every place inside the text", () => {
    const random = seeded(7);
    const names = ["grpo_arrays.sh", "sft_strings.sh", "ppo_branches.sh", "veomni_task.sh", "readme.md"];
    const seeds = names.map((name) => ({ name, text: fixture(name) }));
    const noise = [
      "'",
      '"',
      "${",
      "}",
      ")",
      "(",
      "`",
      "\\",
      "\n",
      "<<E\n",
      "{a,",
      "=",
      "[",
      "]",
      "$V",
      "${x.y}",
      "\uFFFC",
      ",",
    ];
    for (let i = 0; i < 600; i++) {
      const seed = seeds[i % seeds.length] ?? { name: "", text: "" };
      let text = seed.text;
      for (let n = 0; n < 4; n++) {
        const at = Math.floor(random() * text.length);
        text =
          text.slice(0, at) +
          (noise[Math.floor(random() * noise.length)] ?? "") +
          text.slice(at + Math.floor(random() * 4));
      }
      for (const override of readOverrides(seed.name, text)) {
        const edits = override.trap?.fix?.edits ?? [];
        for (const span of [override.keySpan, override.valueSpan, ...edits.map((edit) => edit.span)]) {
          expect(span.start <= span.end && span.start >= 0 && span.end <= text.length, text).toBe(true);
        }
      }
    }
  });
});
