// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { findProgramCalls, type ProgramCall } from "../../../../src/core/config/shell/commands.js";
import { readShell } from "../../../../src/core/config/shell/readShell.js";

const find = (script: string): readonly ProgramCall[] => findProgramCalls(readShell(script));
const V = "model_engine=veomni";

describe("verl", () => {
  it.each([
    `python3 -m verl.trainer.main_ppo ${V} a=1`,
    `HYDRA_FULL_ERROR=1 nohup python -u -m verl.trainer.main_ppo ${V} a=1 > log 2>&1 &`,
    `torchrun --nproc-per-node=8 -m verl.trainer.sft_trainer engine=veomni a=1`,
    `env X=1 accelerate launch verl/trainer/main_ppo.py ${V} a=1`,
    `srun -N2 python3 -m verl.trainer.main_ppo ${V} a=1`,
    `ray job submit --address=x -- python3 -m verl.trainer.main_ppo ${V} a=1`,
    `set -x\ncd x && python3 -m recipe.dapo.main_dapo ${V} a=1`,
    `bash -c 'python3 -m verl.trainer.main_ppo ${V} a=1'`,
    `eval "python3 -m verl.trainer.main_ppo ${V} a=1"`,
    `CMD="python3 -m verl.trainer.main_ppo"\n$CMD ${V} a=1`,
  ])("%s", (script) => {
    const [call, ...more] = find(script);
    expect(more).toEqual([]);
    expect(call?.dialect).toBe("verl");
    expect(call?.program).toMatch(/main_ppo|sft_trainer|main_dapo/);
    expect(call?.args.map((word) => word.text).slice(0, 2)).toEqual([expect.stringMatching(/engine=veomni$/), "a=1"]);
  });

  it("knows the engine's own tokens anywhere", () => {
    expect(find("$RUN critic.veomni.fsdp_size=1")).toMatchObject([{ program: undefined, nested: false }]);
    expect(find("ARGS=(x=1 critic.veomni.fsdp_size=1)")).toMatchObject([{ program: undefined, args: [{}, {}] }]);
    expect(find('ARGS="x=1 critic.veomni.fsdp_size=1"')).toMatchObject([{ args: [{ text: "x=1" }, {}] }]);
  });

  it("counts an engine that only the run can tell", () => {
    expect(find("python -m verl.trainer.sft_trainer engine=${BACKEND:-fsdp}")).toHaveLength(1);
    expect(find("python -m verl.trainer.sft_trainer engine=$BACKEND")).toHaveLength(1);
    expect(find("python -m verl.trainer.sft_trainer engine=fsdp")).toHaveLength(0);
  });

  it("marks sweeps, nested shells and cut commands", () => {
    expect(find(`python -m verl.trainer.main_ppo -m ${V}`)[0]?.multirun).toBe(true);
    expect(find(`ssh host "python -m verl.trainer.main_ppo ${V}"`)[0]?.nested).toBe(true);
    expect(find("a.veomni.b=1 c=2")[0]?.cutOff?.text).toBe("a.veomni.b=1");
  });

  it("places the words of a nested shell in the whole text", () => {
    const script = `bash -c "python -m verl.trainer.main_ppo ${V} k=[\\"x\\"]"`;
    const word = find(script)[0]?.args[1];
    expect(word?.text).toBe("k=[x]");
    expect(script.slice(word?.starts[0], word?.ends[4])).toBe('k=[\\"x\\"]');
  });
});

describe("VeOmni", () => {
  it.each([
    "bash train.sh tasks/train_torch.py configs/x.yaml --train.a 1",
    "torchrun --nproc_per_node=8 tasks/omni/train_qwen.py configs/x.yaml --train.a 1",
    "torchrun train_text.py configs/x.yaml --train.a 1",
  ])("%s", (script) => {
    const [call] = find(script);
    expect(call?.dialect).toBe("veomni");
    expect(call?.args.map((word) => word.text)).toEqual(["configs/x.yaml", "--train.a", "1"]);
  });

  it.each([
    "python train.py --lr 1",
    "torchrun tasks/evaluate.py",
    "ls tasks/train_text.py",
    "python -m verl.trainer.main_ppo",
  ])("leaves %s alone", (script) => {
    expect(find(script)).toEqual([]);
  });
});
