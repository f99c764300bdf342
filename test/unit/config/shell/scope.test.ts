import { describe, expect, it } from "vitest";
import { MAX_ALTERNATIVES, Scope, type Value } from "../../../../src/core/config/shell/scope.js";
import { plainPiece } from "../../../../src/core/config/shell/tracedText.js";

const value = (text: string): Value => ({ kind: "scalar", pieces: [plainPiece(text, 0)], assumesDefault: false });

describe("Scope", () => {
  it("sees what stands above and hides it when it is set or unset below", () => {
    const above = new Scope();
    const [a, b] = [value("a"), value("b")];
    above.set("x", [a]);
    const below = above.child();
    expect(below.get("x")).toEqual([a]);
    below.set("x", [b]);
    expect([below.get("x"), above.get("x")]).toEqual([[b], [a]]);
    below.unset("x");
    expect(below.get("x")).toBeUndefined();
  });

  it("keeps the values of all branches, and the one from before unless one must run", () => {
    const [before, one, two] = [value("0"), value("1"), value("2")];
    const merge = (exhaustive: boolean) => {
      const scope = new Scope();
      scope.set("x", [before]);
      const children = [scope.child(), scope.child()];
      children[0]?.set("x", [one]);
      children[1]?.set("x", [two]);
      scope.mergeBranches(children, exhaustive);
      return scope.get("x");
    };
    expect(merge(false)).toEqual([before, one, two]);
    expect(merge(true)).toEqual([one, two]);
  });

  it("bounds the alternatives", () => {
    const scope = new Scope();
    scope.set(
      "x",
      Array.from({ length: 50 }, (_, i) => value(String(i))),
    );
    expect(scope.get("x")).toHaveLength(MAX_ALTERNATIVES);
  });
});
