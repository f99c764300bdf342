import { describe, expect, it } from "vitest";
import { hasIndices, joined } from "../../../../src/core/config/shell/assignValue.js";
import { parseShell } from "../../../../src/core/config/shell/parseShell.js";
import type { Value } from "../../../../src/core/config/shell/scope.js";
import type { Assignment } from "../../../../src/core/config/shell/syntax.js";
import { plainPiece, traceText } from "../../../../src/core/config/shell/tracedText.js";

function assignment(text: string): Assignment {
  const [node] = parseShell(text);
  if (node?.kind !== "simple" || node.assignments[0] === undefined) throw new Error("no assignment");
  return node.assignments[0];
}

const scalar = (text: string): Value => ({ kind: "scalar", pieces: [plainPiece(text, 0)], assumesDefault: false });
const array = (...texts: readonly string[]): Value => ({
  kind: "array",
  words: texts.map((text) => ({
    pieces: [plainPiece(text, 0)],
    span: { start: 0, end: text.length },
    assumesDefault: false,
  })),
});

function shown(value: Value): string | readonly string[] {
  return value.kind === "scalar"
    ? traceText(value.pieces).text
    : value.words.map(({ pieces }) => traceText(pieces).text);
}

describe("joined", () => {
  it.each<[string, Value | undefined, Value, string | readonly string[]]>([
    ["A+=b", scalar("a"), scalar("b"), "ab"],
    ["A+=b", array("a", "x"), scalar("b"), ["ab", "x"]],
    ["A+=b", undefined, scalar("b"), "b"],
    ["A+=(b)", array("a"), array("b"), ["a", "b"]],
    ["A+=(b)", scalar("a"), array("b"), ["a", "b"]],
    ["A[0]=b", array("a", "x"), scalar("b"), ["b", "x"]],
    ["A[9]=b", array("a"), scalar("b"), ["a", "b"]],
    ["A[0]=b", undefined, scalar("b"), ["b"]],
  ])("%s", (text, before, added, expected) => {
    const { subscript, ...rest } = assignment(text);
    const whole = subscript === undefined ? rest : { ...rest, subscript };
    expect(shown(joined(before, added, subscript !== undefined, whole))).toEqual(expected);
  });
});

describe("hasIndices", () => {
  it("knows elements that name their place", () => {
    expect(hasIndices(assignment("A=([2]=x [0]=y)"))).toBe(true);
    expect(hasIndices(assignment("A=(x [0] y)"))).toBe(false);
    expect(hasIndices(assignment("A=x"))).toBe(false);
  });
});
