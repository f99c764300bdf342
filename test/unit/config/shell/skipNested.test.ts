// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import {
  type HereDocument,
  readHereDocument,
  skipHereDocuments,
  skipNested,
} from "../../../../src/core/config/shell/skipNested.js";

describe("skipNested", () => {
  it.each<[string, "p" | "a" | "b" | "g", string]>([
    ["a) rest", "p", " rest"],
    ["a (b) c)x", "p", "x"],
    ["echo ')' \")\" \\) )x", "p", "x"],
    ['"$(a ")")")x', "p", "x"],
    ["a # it's )\n)x", "p", "x"],
    ["a <<'E'\nit's )\nE\n)x", "p", "x"],
    ["1 + (2))) x", "a", " x"],
    ["a:-${b}}x", "b", "x"],
    ["a \\` b`x", "g", "x"],
    ["never", "p", ""],
  ])("%j", (text, opening, rest) => {
    expect(text.slice(skipNested(text, 0, opening))).toBe(rest);
  });
});

describe("here-documents", () => {
  it.each<[string, HereDocument[], number]>([
    ["<<EOF x", [{ delimiter: "EOF", stripsTabs: false, isLiteral: false }], 5],
    ["<<-'E F' x", [{ delimiter: "E F", stripsTabs: true, isLiteral: true }], 8],
    ["<< \\E", [{ delimiter: "E", stripsTabs: false, isLiteral: true }], 5],
    ["<<<x", [], 3],
    ["<<", [], 2],
  ])("%j", (text, documents, behind) => {
    const pending: HereDocument[] = [];
    expect(readHereDocument(text, 0, pending)).toBe(behind);
    expect(pending).toEqual(documents);
  });

  it("steps over the bodies in order", () => {
    const text = "a\nA\n\tb\n\tB\nrest";
    const documents: readonly HereDocument[] = [
      { delimiter: "A", stripsTabs: false, isLiteral: false },
      { delimiter: "B", stripsTabs: true, isLiteral: true },
    ];
    expect(text.slice(skipHereDocuments(text, 0, documents))).toBe("rest");
    expect(documents.map(({ body }) => text.slice(body?.start, body?.end))).toEqual(["a\n", "\tb\n"]);
    expect(skipHereDocuments("never", 0, documents)).toBe(5);
  });
});
