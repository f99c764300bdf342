// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { lexValue } from "../../../../src/core/config/hydra/lexer.js";
import { isPrimitiveToken, keyText, primitiveValue } from "../../../../src/core/config/hydra/primitive.js";

const tokensOf = (text: string) => lexValue(text, 0).tokens;

describe("primitiveValue", () => {
  it("keeps the type of a single token and joins several into text", () => {
    expect(primitiveValue(tokensOf("4"))).toMatchObject({ kind: "int", value: 4 });
    expect(primitiveValue(tokensOf("4 5"))).toMatchObject({ kind: "string", text: "4 5" });
  });

  it("keeps the digits of an integer that a number cannot hold", () => {
    expect(primitiveValue(tokensOf("9007199254740993"))).toMatchObject({ kind: "int", text: "9007199254740993" });
  });

  it("drops blanks at the ends and finds nothing in blanks alone", () => {
    expect(primitiveValue(tokensOf(" a b "))).toMatchObject({ text: "a b", span: { start: 1, end: 4 } });
    expect(primitiveValue(tokensOf("  "))).toBeUndefined();
  });

  it("undoes escapes", () => {
    expect(primitiveValue(tokensOf("\\{*\\}"))).toMatchObject({ text: "{*}" });
    expect(keyText(tokensOf("a\\:b "))).toBe("a:b");
  });

  it("finds interpolations inside quotes", () => {
    expect(primitiveValue(tokensOf('"x ${a.b}"'))).toMatchObject({
      quote: "double",
      interpolations: [{ kind: "node", target: "a.b" }],
    });
  });
});

describe("isPrimitiveToken", () => {
  it("allows a colon in a value and not in a key", () => {
    const [colon] = tokensOf(":");
    expect(colon && isPrimitiveToken(colon, false)).toBe(true);
    expect(colon && isPrimitiveToken(colon, true)).toBe(false);
  });
});
