// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { UNKNOWN_MARK } from "../../../../src/core/config/hydra/value.js";
import { readShell } from "../../../../src/core/config/shell/readShell.js";
import { readsScript } from "../../../../src/core/config/shell/shellInput.js";

const words = (text: string): readonly string[] => text.split(" ");

describe("readsScript", () => {
  it.each([
    "bash",
    "/bin/bash -eux",
    "bash -e -o pipefail",
    "bash -s -- a b",
    "sh -",
    "ssh host bash",
    "ssh -p 22 host",
    "ssh -o A=b user@host bash -l",
    "docker exec -i box bash",
    "srun -N2 bash",
    "sbatch",
    "sbatch --nodes 2 -J=x",
    "tee run.sh",
  ])("%s", (text) => {
    expect(readsScript(words(text), undefined)).toBe(text !== "sbatch --nodes 2 -J=x");
  });

  it.each([
    "bash run.sh",
    "bash -c ls",
    "python3",
    "cat",
    "cat a.txt",
    "ssh host python3",
    "sbatch job.sh",
    "tee a.yaml",
  ])("not %s", (text) => {
    expect(readsScript(words(text), undefined)).toBe(false);
  });

  it("goes by the file that a text is written to", () => {
    expect(readsScript(["cat"], "/tmp/run.sh")).toBe(true);
    expect(readsScript(["cat"], "veomni.yaml")).toBe(false);
  });
});

/** The calls of `p`, in the order in which they are read. */
function calls(script: string): readonly string[] {
  const commands = readShell(script).commands.map((command) => command.words.map(({ text }) => text).join(" "));
  return commands.filter((command) => command.startsWith("p "));
}

const U = UNKNOWN_MARK;

describe("scripts that a shell reads", () => {
  it.each<[string, string[]]>([
    ["A=1\nbash <<EOF\np a=$A 'b c' \"d\" \\\n  e\nEOF\np z", ["p a=1 b c d e", "p z"]],
    ["A=1\nbash <<'EOF'\np a=$A\nEOF", [`p a=${U}`]],
    ["A=1\nbash <<EOF\nA=2\np a=\\$A\nEOF\np a=$A", ["p a=2", "p a=1"]],
    ["bash <<-E\n\tp a=1\n\tE\np b", ["p a=1", "p b"]],
    ['bash <<< "p a=1"', ["p a=1"]],
    ["cat <<EOF | bash\np a=1\nEOF", ["p a=1"]],
    ["cat <<EOF > run.sh\np a=1\nEOF", ["p a=1"]],
    ["cat <<EOF\np a=1\nEOF", []],
    ["A=1\necho \"p a=$A 'b c'\" d | bash", ["p a=1 b c d"]],
    ["echo -e -n 'p a=1' | bash -s", ["p a=1"]],
    ["printf '%s\\n' 'p a=1' | bash", ["p a=1"]],
    ["printf 'p %s' a=1 | bash", []],
    ["echo p a=1", []],
    ["echo p a=1 | grep p", []],
    ["echo | bash", []],
    ["echo -n | bash", []],
    ["cat > notes.txt <<EOF\np a=1\nEOF", []],
    ["python3 - <<EOF\np a=1\nEOF", []],
    ["bash run.sh <<EOF\np a=1\nEOF", []],
    ["bash <<A <<B\np a=1\nA\np b=1\nB", ["p b=1"]],
    ["bash <<EOF\nbash <<IN\np a=1\nIN\nEOF", ["p a=1"]],
    ["bash <<EOF\np a=1", ["p a=1"]],
    ["bash <<EOF", []],
  ])("%j", (script, expected) => {
    expect(calls(script)).toEqual(expected);
  });
});

describe("overrides in nested texts", () => {
  const block = "actor_rollout_ref.actor.veomni";
  const call = `python3 -m verl.trainer.main_ppo model_engine=veomni ${block}`;
  const quoted = `${call}.activation_offload_modules=\\"['model.layers.{*}']\\"`;

  it.each([
    `bash <<EOF\n${call}.pram_offload=True\nEOF\n`,
    `sbatch <<'EOF'\n#!/bin/bash\n${call}.pram_offload=True\nEOF\n`,
    `ssh node1 bash -s <<EOF\n${call}.pram_offload=True\nEOF\n`,
    `out=$(${call}.pram_offload=True 2>&1 | tee log)\n`,
    `out="$(${call}.pram_offload=True)"\n`,
    `out=\`${call}.pram_offload=True\`\n`,
    `echo "$(echo "$(${call}.pram_offload=True)")"\n`,
    `diff <(${call}.pram_offload=True) log\n`,
    `eval "${call}.pram_offload=True"\n`,
    `eval "eval \\"${call}.pram_offload=True\\""\n`,
    `trap "${call}.pram_offload=True" EXIT\n`,
    `echo "${call}.pram_offload=True" | bash\n`,
    `sbatch -N2 --wrap="${call}.pram_offload=True"\n`,
    `sbatch --wrap '${call}.pram_offload=True'\n`,
    `tmux send-keys -t a "${call}.pram_offload=True" C-m\n`,
    `ssh node1 "${call}.pram_offload=True"\n`,
    `CMD="${call}.pram_offload=True"\neval "$CMD"\neval $CMD\n`,
    `run() { eval "${call}.pram_offload=True"; }\n`,
  ])("are judged once, where they stand: %j", (script) => {
    const found = checkDocument("run.sh", script)?.diagnostics ?? [];
    expect(found.map(({ code, span }) => [code, script.slice(span.start, span.end)])).toEqual([
      ["unknown-key", "pram_offload"],
    ]);
  });

  it.each([
    `eval "${quoted} ${block}.enable_async_activation_offload=True"\n`,
    `trap "${quoted} ${block}.enable_async_activation_offload=True" EXIT\n`,
    `bash <<EOF\n${quoted.replaceAll("\\", "")} ${block}.enable_async_activation_offload=True\nEOF\n`,
    `x=$(${quoted.replaceAll("\\", "")} ${block}.enable_async_activation_offload=True)\n`,
    `bash <<EOF\n${call}.fsdp_size=\\$N\nEOF\n`,
    `cat <<EOF\n${call}.pram_offload=True\nEOF\n`,
  ])("say nothing wrong: %j", (script) => {
    expect(checkDocument("run.sh", script)?.diagnostics ?? []).toEqual([]);
  });
});
