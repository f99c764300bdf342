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

  it("knows a call of the shipped config to the last word", () => {
    const whole = (script: string) => find(script)[0]?.isWhole;
    expect(whole("python3 -m verl.trainer.main_ppo a.veomni.b=1")).toBe(true);
    expect(whole("python3 verl/trainer/main_ppo.py a.veomni.b=1")).toBe(true);
    for (const more of ["--config-name mine", "--config-path=x", "-cn mine", '"$@"', "$MORE", "hydra.searchpath=[x]"]) {
      expect(whole(`python3 -m verl.trainer.main_ppo ${more} a.veomni.b=1`), more).toBe(false);
    }
    expect(whole("python3 -m recipe.dapo.main_dapo a.veomni.b=1")).toBe(false);
    expect(whole("$RUN a.veomni.b=1")).toBe(false);
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
    "torchrun train_text.py configs/x.yaml --train.a 1 | tee log",
  ])("%s", (script) => {
    const [call] = find(script);
    expect(call?.dialect).toBe("veomni");
    expect(call?.args.map((word) => word.text)).toEqual(["configs/x.yaml", "--train.a", "1"]);
  });

  it("reads the flags behind a task that only the run can tell, without those of the launcher", () => {
    const texts = (script: string) => find(script)[0]?.args.map((word) => word.text);
    expect(texts("torchrun --nnodes 2 $TASK x.yaml --train.a 1")).toEqual(["--train.a", "1"]);
    expect(texts("torchrun --nnodes 2 my.py x.yaml --model.accelerator.a 1")).toEqual(["--model.accelerator.a", "1"]);
  });

  it.each([
    "python train.py --lr 1",
    "torchrun tasks/evaluate.py",
    "ls tasks/train_text.py",
    "python -m verl.trainer.main_ppo",
    "python -m torchtitan.train --model.name llama3 --training.steps 10",
    "python main.py fit --config x.yaml --model.lr 0.1 --data.batch_size 4 --trainer.devices 1",
    "torchrun --nproc_per_node 8 train.py x.yaml --train.lr 1",
    "accelerate launch train_dreambooth.py --config x.yaml --lr 3",
    "bash train.sh x.yaml --lr 1",
    "python train_gpt2.py --model.dim 3",
    "echo torchrun tasks/train_text.py x.yaml --train.a 1",
    "grep -r --include x.sh a.veomni.b= .",
    "sed -i s/a.veomni.b=1/x/ critic.veomni.b=1",
  ])("leaves %s alone", (script) => {
    expect(find(script)).toEqual([]);
  });
});
