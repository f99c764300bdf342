import { describe, expect, it } from "vitest";
import { UNKNOWN_MARK } from "../../../../src/core/config/hydra/value.js";
import { readShell } from "../../../../src/core/config/shell/readShell.js";
import { placedNodes, unescaped } from "../../../../src/core/config/shell/substituted.js";

describe("placedNodes", () => {
  it("are the commands at their places", () => {
    const [node] = placedNodes({ text: "p a", span: { start: 10, end: 13 } });
    expect(node).toMatchObject({ kind: "simple", span: { start: 10, end: 13 } });
  });
});

describe("unescaped", () => {
  it("takes the backslashes away that backticks need, and keeps the others", () => {
    const text = "a \\`b\\` \\$C \\\\ \\n";
    const pieces = unescaped({ text, span: { start: 5, end: 5 + text.length }, escapable: "$`\\" });
    expect(pieces.map((piece) => (piece.kind === "text" ? piece.text : "")).join("")).toBe("a `b` $C \\ \\n");
    expect(pieces[1]).toMatchObject({ text: "`", start: 7, end: 9, quoting: "escaped" });
  });
});

/** The calls of `p`, in the order in which they are read. */
function calls(script: string): readonly string[] {
  const commands = readShell(script).commands.map(({ words }) => words.map(({ text }) => text).join(" "));
  return commands.filter((command) => command.startsWith("p "));
}

const U = UNKNOWN_MARK;

describe("commands whose output a word takes", () => {
  it.each<[string, string[]]>([
    ["x=$(p a=1)\np $x", ["p a=1", `p ${U}`]],
    ['x="$(p "a b" c)"', ["p a b c"]],
    ["A=1\nx=$(A=2; p $A)\np $A", ["p 2", "p 1"]],
    ["p $(p a=1) b", ["p a=1", `p ${U} b`]],
    ["x=$(y=$(p a=1))", ["p a=1"]],
    ["x=`p a=1`", ["p a=1"]],
    ["x=`y=\\`p a=1\\``", ["p a=1"]],
    ['x="`p \\"a b\\"`"', ["p a b"]],
    ["ARR=($(p a=1) b)", ["p a=1"]],
    ["for i in $(p a=1); do :; done", ["p a=1"]],
    ["q <(p a=1) >(p b=1)", ["p a=1", "p b=1"]],
    ["x=$(p a=1 | q)", ["p a=1"]],
    ["x=$((1 + 2))", []],
    ["x='$(p a=1)'", []],
    ["x=$(p a=1", ["p a=1"]],
    ["f() { x=$(p a=$1); }\nf 7", ["p a=7"]],
  ])("%s", (script, expected) => {
    expect(calls(script)).toEqual(expected);
  });

  it("end however deep they are", () => {
    const deep = "x=$(".repeat(2_000) + ")".repeat(2_000);
    expect(readShell(deep).commands).toEqual([]);
    expect(readShell("echo $(".repeat(30_000)).commands.length).toBeLessThan(10);
    expect(readShell("x=`".repeat(50_000)).assignments()).not.toEqual([]);
  });
});
