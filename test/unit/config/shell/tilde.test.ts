// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the scripts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { UNKNOWN_MARK } from "../../../../src/core/config/hydra/value.js";
import { readShell } from "../../../../src/core/config/shell/readShell.js";
import { readWord } from "../../../../src/core/config/shell/readWord.js";
import { expandTildes } from "../../../../src/core/config/shell/tilde.js";

const U = UNKNOWN_MARK;

/** What the last command receives where the home is `/h`. */
function received(script: string): readonly string[] {
  const last = readShell(`HOME=/h\n${script}`).commands.at(-1);
  return last?.words.slice(1).map((word) => word.text) ?? [];
}

describe("expandTildes", () => {
  it.each<[string, readonly string[]]>([
    ["p ~ ~/x x~/y /~", ["/h", "/h/x", "x~/y", "/~"]],
    [`p "~/x" '~/x' \\~/x ~"/x" ~\\/x ~$A`, ["~/x", "~/x", "~/x", "~/x", "~/x", `~${U}`]],
    ["p a=~/x a=b:~/x a.b=~/x --a=~/x a+=~", ["a=/h/x", "a=b:/h/x", "a.b=~/x", "--a=~/x", "a+=/h"]],
    ["p {~,x}/y {a,b}=~/x", ["/h/y", "x/y", "a=~/x", "b=~/x"]],
    ["p ~root ~root/x ~+/x ~- ~2", [U, `${U}/x`, `${U}/x`, U, U]],
    ["p ~trainer.logger ~critic ~critic/x", ["~trainer.logger", "~critic", `${U}/x`]],
    ["p ${V:-~/x} k=${V:-~} ${V:-a:~/x}", ["/h/x", "k=/h", "a:~/x"]],
    [`p "\${V:-~/x}" "k=\${V:-~/x}" \${V:-"~/x"}`, ["~/x", "k=~/x", "~/x"]],
    ["A=~/x:b:~/y:'~'\np $A", ["/h/x:b:/h/y:~"]],
    ["A=${V:-a:~/x}\np $A", ["a:/h/x"]],
    ['A="${V:-~/x}"\np $A', ["~/x"]],
    ["A=(~/x b=~/y)\np ${A[@]}", ["/h/x", "b=~/y"]],
    ["export A=~/x\np $A", ["/h/x"]],
    ["A=\\\n~/x\np $A", ["/h/x"]],
  ])("%s", (script, words) => {
    expect(received(script)).toEqual(words);
  });

  it("leaves the home to the run where the script does not set it, and points at the tilde", () => {
    const [segment] = expandTildes(readWord("~/x", 0).segments, "word");
    expect(segment).toMatchObject({ kind: "parameter", name: "HOME", start: 0, end: 1 });
    expect(readShell("p ~/x").commands[0]?.words[1]?.text).toBe(`${U}/x`);
  });

  it.each<[string, string, readonly string[]]>([
    ["an assigned default", "D=${D:-~/data}", []],
    ["an assigned path", "D=~/data", []],
    ["a default in double quotes", 'D="${D:-~/data}"', ["error override-syntax"]],
    ["a path in quotes", "D='~/data'", ["error override-syntax"]],
  ])("%s reaches Hydra as bash leaves it", (_, assignment, expected) => {
    const text = `${assignment}\ntorchrun -m verl.trainer.sft_trainer engine=veomni optim=veomni data.train_files=$D/a.parquet engine.seed=1\n`;
    const found = checkDocument("run.sh", text)?.diagnostics ?? [];
    expect(found.map(({ severity, code }) => `${severity} ${code}`)).toEqual(expected);
  });

  it("is not expanded behind the equals sign of an override, so Hydra refuses it", () => {
    const text = "torchrun -m verl.trainer.sft_trainer engine=veomni data.train_files=~/a.parquet engine.seed=1\n";
    expect(checkDocument("run.sh", text)?.diagnostics.map(({ code }) => code)).toEqual(["override-syntax"]);
  });
});
