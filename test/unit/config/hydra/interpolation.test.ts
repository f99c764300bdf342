// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { readInterpolations } from "../../../../src/core/config/hydra/interpolation.js";

describe("readInterpolations", () => {
  it.each([
    ["${a.b}", "node", "a.b", []],
    ["${.sibling}", "node", ".sibling", []],
    ["${..up.one}", "node", "..up.one", []],
    ["${a[0].b}", "node", "a[0].b", []],
    ["${oc.env:HOME}", "resolver", "oc.env", ["HOME"]],
    ["${oc.select: a.b, 3}", "resolver", "oc.select", ["a.b", "3"]],
    ["${f:[1,2],{x:1},'a,b'}", "resolver", "f", ["[1,2]", "{x:1}", "'a,b'"]],
    ["${now:}", "resolver", "now", []],
  ])("%s", (text, kind, target, args) => {
    expect(readInterpolations(text)).toMatchObject({ interpolations: [{ kind, target, args }] });
    expect(readInterpolations(text).error).toBeUndefined();
  });

  it("keeps what is nested", () => {
    const { interpolations } = readInterpolations("x ${oc.select:a,${b.c}} y ${d}");
    expect(interpolations).toMatchObject([
      { target: "oc.select", args: ["a", "${b.c}"], nested: [{ target: "b.c" }], span: { start: 2, end: 23 } },
      { target: "d", span: { start: 26, end: 30 } },
    ]);
  });

  it("leaves a lone dollar and an escaped opening alone", () => {
    expect(readInterpolations("cost $5 \\${x} $").interpolations).toEqual([]);
    expect(readInterpolations("\\\\${x}").interpolations).toHaveLength(1);
  });

  it.each([
    ["${a", "INTERPOLATION_UNCLOSED"],
    ["${a{*}}", "INTERPOLATION_MALFORMED"],
    ["${}", "INTERPOLATION_MALFORMED"],
    ["${a b}", "INTERPOLATION_MALFORMED"],
    ["${1f:x}", "INTERPOLATION_MALFORMED"],
    ["${a:".repeat(100), "INTERPOLATION_MALFORMED"],
  ])("refuses %s", (text, code) => {
    expect(readInterpolations(text).error?.code).toBe(code);
  });
});
