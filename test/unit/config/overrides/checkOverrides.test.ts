// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { applyEdits } from "../../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../../src/core/config/check.js";
import { holdsOverrides } from "../../../../src/core/config/overrides/calls.js";
import { engine } from "../checkedText.js";

const block = "actor_rollout_ref.actor.veomni";
const call = "python3 -m verl.trainer.main_ppo model_engine=veomni";

/** An array style script with these overrides. */
function script(...words: readonly string[]): string {
  return ["A=(", ...words.map((word) => `  ${word}`), ")", `${call} "\${A[@]}"`, ""].join("\n");
}

function found(text: string, path = "run.sh"): readonly string[] {
  const diagnostics = checkDocument(path, text)?.diagnostics ?? [];
  return diagnostics.map(({ severity, code, span }) => `${severity} ${code}|${text.slice(span.start, span.end)}`);
}

function fixed(title: string, text: string, path = "run.sh"): string {
  const fixes = checkDocument(path, text)?.diagnostics.flatMap((diagnostic) => diagnostic.fixes) ?? [];
  const fix = fixes.find((each) => each.title === title);
  if (fix === undefined) throw new Error(`no fix "${title}" among: ${fixes.map((each) => each.title).join("; ")}`);
  return applyEdits(text, fix);
}

describe("checkOverrides", () => {
  it("judges the tree that the overrides of a call make, each finding at its place", () => {
    const text = script(
      "actor_rollout_ref.model.enable_activation_offload=True",
      `${block}.enable_async_activation_offload=true`,
      `${block}.activation_offload_modules=["model.layers.{*}"]`,
      `${block}.activation_offload_host_cache_limit_gb=-1`,
      `${block}.ulysses_size=2`,
      `${block}.parm_offload=false`,
      "actor_rollout_ref.actor.optim.lrr=1e-6",
    );
    expect(found(text)).toEqual([
      "error async-vs-sync|enable_activation_offload=True",
      'error quotes-lost|["model.layers.{*}"]',
      "error out-of-range|-1",
      "error foreign-key|ulysses_size",
      "error unknown-key|parm_offload",
      "warning unknown-key|lrr",
    ]);
  });

  it.each([
    ["Rename to param_offload", `${block}.parm_offload=True`, `${block}.param_offload=True`],
    ["Rename to ulysses_parallel_size", `${block}.ulysses_size=2`, `${block}.ulysses_parallel_size=2`],
    ["Write 4", `${block}.fsdp_size=4.0`, `${block}.fsdp_size=4`],
    ["Write false", `${block}.param_offload=off`, `${block}.param_offload=false`],
    ["Set init_device to meta", `${block}.init_device=cpu`, `${block}.init_device=meta`],
    ["Set init_device to meta", `${block}.init_device="cpu"`, `${block}.init_device=meta`],
    ["Add a leading +", `${block}.entropy_from_logits_chunk_size=8`, `+${block}.entropy_from_logits_chunk_size=8`],
    ["Add a leading +", `'${block}.entropy_from_logits_chunk_size=8'`, `'+${block}.entropy_from_logits_chunk_size=8'`],
    ["Remove the +", `+${block}.seed=8`, `${block}.seed=8`],
  ])("offers %s for %s", (title, before, after) => {
    const text = script(before);
    expect(found(text).length).toBeGreaterThan(0);
    const result = fixed(title, text);
    expect(result).toBe(script(after));
    expect(found(result)).toEqual([]);
  });

  it("says that Hydra refuses an unknown key before the dataclass does, unless it is added", () => {
    const [plain] = checkDocument("run.sh", script(`${block}.activation_gpu_limit=1`))?.diagnostics ?? [];
    const [added] = checkDocument("run.sh", script(`+${block}.activation_gpu_limit=1`))?.diagnostics ?? [];
    expect(plain?.message).toContain("Hydra refuses it at composition already");
    expect(added?.code).toBe("removed-key");
    expect(added?.message).not.toContain("composition");
  });

  it("counts all words that a pair of braces makes, and keeps them in the list", () => {
    const text = (value: string) =>
      script(`${block}.enable_async_activation_offload=true`, `${block}.activation_offload_modules=${value}`);
    const [first, ...more] = checkDocument("run.sh", text("model.layers.{0..3}"))?.diagnostics ?? [];
    expect(more).toEqual([]);
    expect(first).toMatchObject({ code: "brace-expansion", message: expect.stringContaining("to 4 words") });
    expect(fixed("Quote the value", text("model.layers.{0..3}"))).toBe(
      text(`'["model.layers.0","model.layers.1","model.layers.2","model.layers.3"]'`),
    );
  });

  it("renames a block in every override that names it", () => {
    const text = (name: string) => script(`+${block}.${name}.mode=R2`, `+${block}.${name}.record_file=/x`);
    expect(found(text("router_repla"))).toEqual(["error unknown-key|router_repla"]);
    const right = text("router_replay");
    expect(fixed("Rename to router_replay", text("router_repla"))).toBe(right);
  });

  it("knows that Hydra refuses the block without its engine, when nothing else can choose it", () => {
    const run = (words: string) => found(`python3 -m verl.trainer.main_ppo ${words} ${block}.seed=1\n`);
    expect(run("")).toEqual([`error override-needs-engine|${block}.seed`]);
    expect(run("model_engine=dp")).toEqual(["error engine-not-veomni|model_engine=dp"]);
    expect(run("model_engine=${ENGINE:-dp}")).toEqual(["warning engine-not-veomni|model_engine=${ENGINE:-dp"]);
    expect(run("--config-name mine data.x=1")).toEqual([`information override-needs-engine|${block}.seed`]);
    expect(run("--config-name mine")).toEqual([]);
    expect(run('"$@"')).toEqual([]);
  });

  it("takes what a whole call leaves out for its default", () => {
    const run = (more: string) => found(`${call} ${block}.router_replay.mode=R3 ${more}\n`);
    expect(run("actor_rollout_ref.rollout.n=4")).toEqual([`error r3-rollout|${block}.router_replay.mode=R3`]);
    expect(run('actor_rollout_ref.rollout.n=4 "$@"')).toEqual([`warning r3-rollout|${block}.router_replay.mode=R3`]);
  });

  it("knows what a whole call cannot delete", () => {
    const run = (words: string) => found(`${call} ${words}\n`);
    expect(run(`'~${block}.bogus'`)).toEqual([`error unknown-key|${block}.bogus`]);
    expect(run(`~${block}.activation_gpu_limit`)).toEqual([`error unknown-key|${block}.activation_gpu_limit`]);
    expect(run(`~${block}.seed`)).toEqual([]);
    expect(run(`--config-name mine ~${block}.bogus`)).toEqual([]);
  });

  it("takes no turn of a loop for the only one", () => {
    const run = (values: string) =>
      found(
        `for off in ${values}; do\n${call} ${block}.enable_async_activation_offload=$off ${block}.activation_offload_modules='["model.layers.*"]'\ndone\n`,
      );
    expect(run("true false")).toEqual([]);
    expect(run("false")).toEqual([`warning modules-without-switch|activation_offload_modules`]);
  });

  it("joins a key with the sign that blanks keep away", () => {
    for (const written of [`${block}.seed = 1`, `${block}.seed =1`]) {
      expect(found(`${call} ${written}\n`)).toEqual([`error override-syntax|${block}.seed`]);
      expect(fixed("Remove the blanks around =", `${call} ${written}\n`)).toBe(`${call} ${block}.seed=1\n`);
    }
    expect(found(`${call} ${block}.seed x=1\n`)).toEqual([
      `error override-syntax|${block}.seed`,
      "warning not-in-struct|x",
    ]);
    expect(found(`${call} a.b 2\n`)).toEqual([]);
  });

  it("mends patterns inside their quotes", () => {
    const before = `'${block}.activation_offload_modules=["model.layers.{*}.mlp"]'`;
    const text = script(`${block}.enable_async_activation_offload=true`, before);
    expect(found(text)).toEqual(['warning pattern-text-after-group|"model.layers.{*}.mlp"']);
    const result = fixed("Write model.layers.{*}", text);
    expect(result).toContain(`'${block}.activation_offload_modules=["model.layers.{*}"]'`);
    expect(found(result)).toEqual([]);
  });

  it("adds no character to a pattern that the shell would take for itself", () => {
    const text = script(
      `${block}.enable_async_activation_offload=true`,
      `${block}.activation_offload_modules=[model.layers]`,
    );
    const [first] = checkDocument("run.sh", text)?.diagnostics ?? [];
    expect([first?.code, first?.fixes]).toEqual(["pattern-container", []]);
  });

  it("removes a line, with the continuation that would dangle", () => {
    const text = `${call} \\\n  ${block}.seed=1 \\\n  ${block}.parm_offload=True\n`;
    expect(fixed("Remove parm_offload", text)).toBe(`${call} \\\n  ${block}.seed=1\n`);
    const first = `${call} \\\n  ${block}.parm_offload=True \\\n  ${block}.seed=1\n`;
    expect(fixed("Remove parm_offload", first)).toBe(`${call} \\\n  ${block}.seed=1\n`);
    expect(fixed("Remove parm_offload", `${call} ${block}.parm_offload=True ${block}.seed=1\n`)).toBe(
      `${call} ${block}.seed=1\n`,
    );
  });

  it("knows repeated keys, but not those of two branches", () => {
    const twice = script(`${block}.seed=1`, `${block}.seed=2`);
    expect(found(twice)).toEqual([`warning override-repeated|${block}.seed`]);
    expect(fixed("Remove this override", twice)).toBe(script(`${block}.seed=2`));
    const branches = `if a; then S="${block}.seed=1"; else S="${block}.seed=2"; fi\n${call} $S\n`;
    expect(found(branches)).toEqual([]);
  });

  it("reads SFT's engine", () => {
    const sft =
      "torchrun -m verl.trainer.sft_trainer engine=veomni engine.parm_offload=true model.enable_activation_offload=true\n";
    expect(found(sft)).toEqual([
      "error unknown-key|parm_offload",
      "error async-vs-sync|enable_activation_offload=true",
    ]);
  });

  it("reads Markdown and Hydra's record, which is not edited", () => {
    expect(found(`text\n\n\`\`\`bash\n${call} ${block}.init_device=cpu\n\`\`\`\n`, "a.md")).toEqual([
      "error init-meta|cpu",
    ]);
    const record = checkDocument("o/.hydra/overrides.yaml", `- model_engine=veomni\n- ${block}.init_device=cpu\n`);
    expect(record?.diagnostics.map(({ code, fixes }) => [code, fixes])).toEqual([["init-meta", []]]);
  });

  it("gives nothing for scripts without such a call", () => {
    expect(checkDocument("a.sh", "echo hello\n")).toBeUndefined();
    expect(checkDocument("README.md", "# veomni\n")).toBeUndefined();
    expect(holdsOverrides("a/b.yaml")).toBe(false);
    expect(holdsOverrides("a/.hydra/overrides.yaml")).toBe(true);
  });

  it("is content with what is right, in every style of script", () => {
    const good = script(
      "actor_rollout_ref.model.enable_gradient_checkpointing=True",
      `${block}.enable_async_activation_offload=True`,
      `'${block}.activation_offload_modules=["model.layers.{*}"]'`,
      `${block}.activation_offload_host_cache_limit_gb=0.25`,
      `${block}.attn_implementation=flash_attention_2`,
      `+${block}.entropy_from_logits_chunk_size=1024`,
      `++${block}.seed=1`,
      `~${block}.ckpt_manager`,
      "actor_rollout_ref.actor.optim.lr=1e-6",
    );
    expect(found(good)).toEqual([]);
  });

  it("compares with host memory like YAML", () => {
    const text = `${call} trainer.n_gpus_per_node=8 ${block}.enable_async_activation_offload=true\n`;
    const codes = checkDocument("a.sh", text, { hostMemoryBytes: 2 ** 34 })?.diagnostics.map(({ code }) => code);
    expect(codes).toEqual(["pinned-memory"]);
    expect(engine().length).toBeGreaterThan(0);
  });
});
