import { describe, expect, it } from "vitest";
import { lineContextAt } from "../../../../src/core/config/assist/lineContext.js";
import { atCursor } from "./cursor.js";

function contextOf(marked: string) {
  const { text, offset } = atCursor(marked);
  const context = lineContextAt(text, offset);
  if (context === undefined) return undefined;
  const { place, path, typed, token, column } = context;
  return { place, path: path.join("/"), typed, token, column };
}

describe("lineContextAt in block style", () => {
  it("finds the mapping of a half-typed key", () => {
    expect(contextOf("a:\n  b:\n    c: 1\n    ena‸ble")).toEqual({
      place: "key",
      path: "a/b",
      typed: "ena",
      token: "enable",
      column: 4,
    });
  });

  it("finds key and value of an entry", () => {
    expect(contextOf("a:\n  b: tr‸ue # why")).toEqual({
      place: "value",
      path: "a/b",
      typed: "tr",
      token: "true",
      column: 2,
    });
    expect(contextOf("a:\n  ‸b: true")).toMatchObject({ place: "key", path: "a", typed: "", token: "b" });
  });

  it("takes an empty value right behind the colon and behind blanks", () => {
    expect(contextOf("a:\n  b:‸")).toMatchObject({ place: "value", path: "a/b", token: "" });
    expect(contextOf("a:\n  b:   ‸")).toMatchObject({ place: "value", path: "a/b", token: "" });
  });

  it("tells by the column to which mapping a blank line belongs", () => {
    const text = "a:\n  b:\n    c: 1\n";
    expect(contextOf(`${text}    ‸`)).toMatchObject({ path: "a/b", column: 4 });
    expect(contextOf(`${text}  ‸`)).toMatchObject({ path: "a", column: 2 });
    expect(contextOf(`${text}‸`)).toMatchObject({ path: "", column: 0 });
  });

  it("moves a line that is indented below a finished value to its siblings", () => {
    expect(contextOf("a:\n  b: 1\n     ‸")).toMatchObject({ place: "key", path: "a", column: 2 });
  });

  it("finds entries of lists, indented or in the column of their key", () => {
    expect(contextOf("a:\n  list:\n    - one\n    - t‸wo")).toMatchObject({
      place: "entry",
      path: "a/list",
      typed: "t",
      token: "two",
    });
    expect(contextOf("a:\n  list:\n  - one\n  - ‸")).toMatchObject({ place: "entry", path: "a/list", token: "" });
    expect(contextOf("list:\n- ‸")).toMatchObject({ place: "entry", path: "list" });
  });

  it("finds keys of mappings inside lists", () => {
    expect(contextOf("list:\n  - name: x\n    v‸")).toMatchObject({ place: "key", path: "list/[]", column: 4 });
    expect(contextOf("list:\n  - name: x\n    value: y‸")).toMatchObject({ place: "value", path: "list/[]/value" });
    expect(contextOf("list:\n- na‸me: x")).toMatchObject({ place: "key", path: "list/[]", token: "name" });
  });

  it("skips blank lines, comments, anchors and deeper blocks above", () => {
    expect(contextOf("a: &x\n\n  # note: this\n  c:\n    d: 1\n# out\n  b‸")).toMatchObject({ path: "a" });
  });

  it("reads quoted keys", () => {
    expect(contextOf("\"a\":\n  'b': ‸1")).toMatchObject({ place: "value", path: "a/b", token: "1" });
  });

  it("leaves comments and block scalars alone", () => {
    expect(contextOf("a: 1 # no‸te")).toBeUndefined();
    expect(contextOf("# no‸te")).toBeUndefined();
    expect(contextOf("a: |\n  te‸xt")).toBeUndefined();
    expect(contextOf("a: ‸|")).toBeUndefined();
  });

  it("starts anew behind the mark of a document", () => {
    expect(contextOf("a:\n---\n  b‸")).toMatchObject({ path: "" });
  });

  it("keeps an unclosed quote on its own line", () => {
    expect(contextOf('a:\n  b: "x\n  c:\n    d: ‸1')).toMatchObject({ place: "value", path: "a/c/d" });
    expect(contextOf('a:\n  b: "x‸')).toMatchObject({ place: "value", path: "a/b", typed: "x" });
  });

  it("counts CRLF as one line end", () => {
    expect(contextOf("a:\r\n  b: tr‸ue\r\n")).toMatchObject({ path: "a/b", token: "true" });
  });
});

describe("lineContextAt in flow style", () => {
  it("finds entries of a list that is not closed yet", () => {
    expect(contextOf("a:\n  list: [one, tw‸")).toMatchObject({ place: "entry", path: "a/list", typed: "tw" });
    expect(contextOf("a:\n  list: [one,‸ ]")).toMatchObject({ place: "entry", path: "a/list", token: "" });
    expect(contextOf('a:\n  list: ["model.lay‸')).toMatchObject({ place: "entry", path: "a/list", typed: "model.lay" });
    expect(contextOf('a:\n  list: ["model.lay‸"]')).toMatchObject({ typed: "model.lay", token: "model.lay" });
  });

  it("takes braces inside an entry as the author means them", () => {
    expect(contextOf("list: [model.layers.{*}‸]")).toMatchObject({ place: "entry", token: "model.layers.{*}" });
    expect(contextOf("list: [model.‸layers.{*}, b]")).toMatchObject({ token: "model.layers.{*}", typed: "model." });
  });

  it("goes up to the line where the list opens", () => {
    expect(contextOf("a:\n  list: [\n    one,\n    ‸\n  ]")).toMatchObject({ place: "entry", path: "a/list" });
  });

  it("ends a list at its bracket, and at the next key when the bracket is missing", () => {
    expect(contextOf("a:\n  list: [one]\n  b: ‸")).toMatchObject({ place: "value", path: "a/b" });
    expect(contextOf("a:\n  list: [one\n  b: ‸")).toMatchObject({ place: "value", path: "a/b" });
    expect(contextOf("a:\n  list: [one\n  b:\n    c: ‸")).toMatchObject({ place: "value", path: "a/b/c" });
  });

  it("finds keys and values of mappings", () => {
    expect(contextOf("a: {b: 1, c‸")).toMatchObject({ place: "key", path: "a", typed: "c" });
    expect(contextOf("a: {b: 1, c: ‸2}")).toMatchObject({ place: "value", path: "a/c", token: "2" });
    expect(contextOf("a: {b: {c: [‸")).toMatchObject({ place: "entry", path: "a/b/c" });
  });
});
