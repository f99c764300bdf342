import { describe, expect, it } from "vitest";
import {
  type ConfigDocument,
  maxConfigLength,
  parseConfig,
} from "../../../../src/core/config/document/configDocument.js";
import { asMapping, entryOf, nodeAt, scalarOf, textOf } from "../../../../src/core/config/document/configNode.js";
import type { TextSpan } from "../../../../src/core/config/document/diagnostic.js";

function parse(text: string): ConfigDocument {
  return parseConfig(text, "omegaconf");
}

function cut(text: string, span: TextSpan | undefined): string | undefined {
  return span === undefined ? undefined : text.slice(span.start, span.end);
}

describe("parseConfig", () => {
  it("resolves scalars as OmegaConf, quoted ones as texts", () => {
    const root = asMapping(parse("a: yes\nb: 'yes'\nc: 1e-5\nd: !!str 4\ne: |\n  text\nf:\n").root);
    expect(root?.entries.map((entry) => scalarOf(entry.value))).toEqual([
      { type: "bool", value: true },
      { type: "str", value: "yes" },
      { type: "float", value: 1e-5 },
      { type: "str", value: "4" },
      { type: "str", value: "text\n" },
      { type: "null" },
    ]);
  });

  it("gives spans without comments, blank lines or line breaks", () => {
    const text = '\uFEFFa:\r\n  b: 1 # one\r\n  c: [x, y]   # list\r\n\r\n# tail\r\nd: "q"\r\n';
    const root = asMapping(parse(text).root);
    expect(cut(text, entryOf(root, "a")?.span)).toBe("a:\r\n  b: 1 # one\r\n  c: [x, y]");
    expect(cut(text, entryOf(asMapping(entryOf(root, "a")?.value), "b")?.span)).toBe("b: 1");
    expect(cut(text, entryOf(root, "d")?.value.span)).toBe('"q"');
  });

  it("finds duplicate keys on every level, with both places", () => {
    const text = "a: 1\nb:\n  n: 1\n  off: 2\n  n: 3\na: 2\n";
    const document = parse(text);
    expect(document.syntaxProblems).toEqual([]);
    expect(document.duplicateKeys.map(({ first, again }) => [cut(text, first.span), cut(text, again.span)])).toEqual([
      ["n: 1", "n: 3"],
      ["a: 1", "a: 2"],
    ]);
  });

  it("follows aliases and merge keys; own keys win", () => {
    const root = parse("base: &b {x: 1, y: 2}\nuse:\n  <<: *b\n  y: 3\nsame: *b\n").root;
    expect(scalarOf(nodeAt(root, ["use", "x"]))).toEqual({ type: "int", value: 1 });
    expect(scalarOf(nodeAt(root, ["use", "y"]))).toEqual({ type: "int", value: 3 });
    expect(scalarOf(nodeAt(root, ["same", "y"]))).toEqual({ type: "int", value: 2 });
  });

  it("reports aliases that the parser leaves for later", () => {
    const document = parse("a:\n  - *.layers\nb: 1\n");
    expect(document.syntaxProblems.map((problem) => problem.code)).toEqual(["UNRESOLVED_ALIAS"]);
    expect(scalarOf(nodeAt(document.root, ["b"]))).toEqual({ type: "int", value: 1 });
  });

  it("keeps the siblings of a broken list", () => {
    const document = parse("m: [model.layers.{*}]\nb: text\n");
    expect(document.syntaxProblems.length).toBeGreaterThan(0);
    expect(textOf(nodeAt(document.root, ["b"]))).toBe("text");
  });

  it.each([
    ["brackets", "[".repeat(100_000), "TOO_DEEP"],
    ["markers", "- ".repeat(20_000), "TOO_DEEP"],
    ["indentation", Array.from({ length: 200 }, (_, level) => `${" ".repeat(level)}a:`).join("\n"), "TOO_DEEP"],
    ["markers behind a colon", `? a\n: ${"- ".repeat(3_000)}b\n`, "TOO_DEEP"],
    ["question marks behind a colon", `? a\n: ${"? ".repeat(3_000)}b\n`, "TOO_DEEP"],
    [
      "lines of YAML 1.1",
      `${Array.from({ length: 2_500 }, (_, level) => `${" ".repeat(level)}a:`).join("\x85")}\x85`,
      "TOO_DEEP",
    ],
    ["length", "a".repeat(maxConfigLength + 1), "TOO_LONG"],
  ])("refuses hostile %s with one problem", (_, text, code) => {
    const document = parse(text);
    expect(document.root).toBeUndefined();
    expect(document.syntaxProblems.map((problem) => problem.code)).toEqual([code]);
  });

  it("counts only what nests: brackets in strings and comments, and indentation of texts, do not", () => {
    const texts = [
      `k: "${"[".repeat(150)}"\n`,
      `k: '${"{[".repeat(150)}'\n`,
      `k: a${"{[".repeat(150)}\n`,
      `k: v # ${"[".repeat(150)}\n`,
      `k: |\n${"  [{ x\n".repeat(150)}`,
      `k: |\n${Array.from({ length: 150 }, (_, level) => `  ${" ".repeat(level)}x\n`).join("")}`,
    ];
    for (const text of texts) {
      const document = parse(text);
      expect(document.syntaxProblems).toEqual([]);
      expect(asMapping(document.root)?.entries.map((entry) => entry.key)).toEqual(["k"]);
    }
  });

  it("reads a hundred levels and no more", () => {
    const nested = (levels: number) => `${"[".repeat(levels)}x${"]".repeat(levels)}\n`;
    expect(parse(nested(100)).syntaxProblems).toEqual([]);
    const tooDeep = parse(nested(101)).syntaxProblems;
    expect(tooDeep.map(({ code, span }) => [code, span.start])).toEqual([["TOO_DEEP", 100]]);
  });

  it("tells why a broken text does not load where it also nests too deep for the other parser", () => {
    const document = parse(`a: "open\nb: ${"[".repeat(200_000)}`);
    expect(document.root).toBeUndefined();
    expect(document.syntaxProblems.map((problem) => problem.code)).toEqual(["MISSING_QUOTE"]);
  });

  it("does not let merge keys multiply", () => {
    const lines = ["a0: &a0 {k: 1}"];
    for (let level = 1; level < 40; level++) {
      lines.push(`a${level}: &a${level}`, `  <<: [*a${level - 1}, *a${level - 1}]`, `  k${level}: 1`);
    }
    const document = parse(`${lines.join("\n")}\n`);
    expect(asMapping(nodeAt(document.root, ["a39"]))?.entries.length).toBe(40);
  });

  it("reads an empty text", () => {
    expect(parse("")).toMatchObject({ root: undefined, syntaxProblems: [], duplicateKeys: [] });
  });
});
