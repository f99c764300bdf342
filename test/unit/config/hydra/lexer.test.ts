// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { lexValue } from "../../../../src/core/config/hydra/lexer.js";

const kinds = (text: string) => lexValue(text, 0).tokens.map((token) => `${token.kind}:${token.text}`);

describe("lexValue", () => {
  it("takes the longest match, and of equal ones the first rule", () => {
    expect(kinds("true1")).toEqual(["id:true1"]);
    expect(kinds("nanx")).toEqual(["id:nanx"]);
    expect(kinds("nan")).toEqual(["float:nan"]);
    expect(kinds("4GB")).toEqual(["int:4", "id:GB"]);
    expect(kinds("1.5.2")).toEqual(["float:1.5", "float:.2"]);
    expect(kinds("a-5")).toEqual(["id:a-5"]);
  });

  it("counts blanks around structure as part of it", () => {
    expect(kinds("[ a , b ]")).toEqual(["bracketOpen:[ ", "id:a", "comma: , ", "id:b", "bracketClose: ]"]);
  });

  it("closes a quote only after an even number of backslashes", () => {
    expect(kinds('"a\\"b"')).toEqual(['quoted:"a\\"b"']);
    expect(kinds('"a\\\\"b')).toEqual(['quoted:"a\\\\"', "id:b"]);
  });

  it("ends an interpolation at the first brace", () => {
    expect(kinds("${a.${b}}")).toEqual(["interpolation:${a.${b}", "braceClose:}"]);
    expect(kinds("${}")).toEqual(["character:$", "braceOpen:{", "braceClose:}"]);
  });

  it("stops at a character without a token", () => {
    expect(lexValue("a#b", 0)).toMatchObject({
      tokens: [{ text: "a" }],
      error: { code: "CHARACTER_NOT_ALLOWED", span: { start: 1, end: 2 } },
    });
    expect(lexValue("😀", 0).error?.span).toEqual({ start: 0, end: 2 });
  });
});
