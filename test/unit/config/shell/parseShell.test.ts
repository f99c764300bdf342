import { describe, expect, it } from "vitest";
import { parseShell } from "../../../../src/core/config/shell/parseShell.js";
import type { Node } from "../../../../src/core/config/shell/syntax.js";

function outline(text: string, nodes: readonly Node[]): string {
  return nodes.map((node) => outlineOne(text, node)).join("; ");
}

function outlineOne(text: string, node: Node): string {
  switch (node.kind) {
    case "simple":
      return text.slice(node.span.start, node.span.end);
    case "group":
      return `${node.subshell ? "sub" : ""}{${outline(text, node.body)}}`;
    case "choice":
      return `${node.exhaustive ? "one" : "maybe"}<${node.branches.map((branch) => outline(text, branch)).join("|")}>`;
    case "loop":
      return `loop ${node.variable ?? ""}(${outline(text, node.body)})`;
    case "arithmetic":
      return `((${node.changes.join(" ")}))`;
    case "function":
      return `${node.name}()(${outline(text, node.body)})`;
  }
}

const read = (text: string): string => outline(text, parseShell(text));

describe("parseShell", () => {
  it.each([
    ["a; b & c\nd", "a; b; c; d"],
    ["a && b || c", "a; maybe<b>; maybe<c>"],
    ["a | b |& c", "sub{a}; sub{b}; sub{c}"],
    ["if a; then b; elif c; then d; else e; fi", "{a; c; one<b|d|e>}"],
    ["if a\nthen\n  b\nfi", "{a; maybe<b>}"],
    ["while a; do b; done; c", "loop (a; b); c"],
    ["for x in 1 2; do b; done", "loop x(b)"],
    ["for ((i=0; i<3; i++)); do b; done", "loop (((i)); b)"],
    ["(( n += 1, m == 2 ))", "((n))"],
    ["case $x in a|b) c ;; *) d ;; esac; e", "one<c|d>; e"],
    ["f() { a; }\nfunction g { b; }", "f()({a}); g()({b})"],
    ["{ a; }; ( b )", "{a}; sub{b}"],
    ["[[ a && b ]] && c; (( 1 < 2 )); d", "sub{}; maybe<c>; (()); d"],
    ["! time a", "a"],
    ["a <x >>y 2>&1 &>z b", "a <x >>y 2>&1 &>z b"],
    ["cat <<E\nx '\nE\nb", "cat; b"],
    ["fi; done; a ) b", "a; b"],
    ["if a; then b", "{a; maybe<b>}"],
  ])("%j", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it("tells assignments from words", () => {
    const [node] = parseShell("A=1 B+=(x y) C[k]=2");
    expect(node).toMatchObject({
      assignments: [
        { name: "A", appends: false, value: { kind: "scalar" } },
        { name: "B", appends: true, value: { kind: "array", words: [{ start: 8 }, { start: 10 }] } },
        { name: "C", subscript: "k" },
      ],
      words: [],
    });
    expect(parseShell("p A=1")[0]).toMatchObject({ assignments: [], words: [{}, {}] });
    expect(parseShell("export -x A=1")[0]).toMatchObject({ assignments: [{ name: "A" }], words: [{}, {}] });
  });
});
