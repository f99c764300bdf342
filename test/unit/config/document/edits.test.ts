import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { asMapping, entryOf } from "../../../../src/core/config/document/configNode.js";
import type { TextEdit } from "../../../../src/core/config/document/diagnostic.js";
import { addEntriesAfter, removeEntry, replaceEntry, setValue } from "../../../../src/core/config/document/edits.js";
import { applyFix } from "../checkedText.js";

const added = [{ key: "z", valueText: "9", comment: "What z does." }];

function locate(text: string, path: readonly string[]) {
  const document = parseConfig(text, "omegaconf");
  let mapping = asMapping(document.root);
  for (const key of path.slice(0, -1)) mapping = asMapping(entryOf(mapping, key)?.value);
  const entry = entryOf(mapping, path.at(-1) ?? "");
  if (mapping === undefined || entry === undefined) throw new Error(`no ${path.join(".")}`);
  return { mapping, entry };
}

function apply(text: string, edit: TextEdit | undefined): string | undefined {
  return edit === undefined ? undefined : applyFix(text, { title: "", edits: [edit] });
}

function remove(text: string, path: readonly string[], commented = false): string | undefined {
  const { mapping, entry } = locate(text, path);
  return apply(text, removeEntry(text, mapping, entry, commented));
}

describe("removeEntry", () => {
  it.each<[string, readonly string[], string | undefined]>([
    ["a: 1\nb: 2 # two\nc: 3\n", ["b"], "a: 1\nc: 3\n"],
    ["a:\n  b:\n    - x\n    - y\n  c: 3\n", ["a", "b"], "a:\n  c: 3\n"],
    ["a: 1\nb: 2", ["b"], "a: 1\n"],
    ["a: 1\r\nb: 2\r\nc: 3\r\n", ["b"], "a: 1\r\nc: 3\r\n"],
    ["m: {a: 1, b: 2, c: 3}\n", ["m", "b"], "m: {a: 1, c: 3}\n"],
    ["m: {a: 1, b: 2}\n", ["m", "b"], "m: {a: 1}\n"],
    ["m: {a: 1}\n", ["m", "a"], "m: {}\n"],
    ["x: &x {a: 1}\nm:\n  <<: *x\n  b: 1\n", ["m", "a"], undefined],
  ])("from %j", (text, path, expected) => {
    expect(remove(text, path)).toBe(expected);
  });

  it("takes the comment above along where each field has one", () => {
    const text = "# about a\na: 1\n\n# about b,\n# in two lines\nb: 2\n\n# about c\nc: 3\n";
    expect(remove(text, ["b"], true)).toBe("# about a\na: 1\n\n\n# about c\nc: 3\n");
  });
});

describe("addEntriesAfter", () => {
  function add(text: string, path: readonly string[], commented = false): string | undefined {
    const { mapping, entry } = locate(text, path);
    return apply(text, addEntriesAfter(text, mapping, entry, added, commented));
  }

  it("keeps indentation, comments and line breaks", () => {
    expect(add("m:\r\n  a: 1 # one\r\n  b: 2\r\n", ["m", "a"])).toBe("m:\r\n  a: 1 # one\r\n  z: 9\r\n  b: 2\r\n");
    expect(add("a: [\n  x,\n]", ["a"])).toBe("a: [\n  x,\n]\nz: 9");
    expect(add("m: {a: 1, b: 2}\n", ["m", "a"])).toBe("m: {a: 1, z: 9, b: 2}\n");
  });

  it("writes verl's format on request", () => {
    expect(add("# about a\na: 1\n", ["a"], true)).toBe("# about a\na: 1\n\n# What z does.\nz: 9\n");
  });
});

describe("replaceEntry", () => {
  function replace(text: string, path: readonly string[], commented = false): string | undefined {
    const { mapping, entry } = locate(text, path);
    return apply(
      text,
      replaceEntry(text, mapping, entry, [...added, { key: "y", valueText: "[]", comment: "Y." }], commented),
    );
  }

  it("puts the new entries where the old one stood", () => {
    expect(replace("m:\n  a: 1\n  b: 2\n", ["m", "a"])).toBe("m:\n  z: 9\n  y: []\n  b: 2\n");
    expect(replace("m: {a: 1, b: 2}\n", ["m", "b"])).toBe("m: {a: 1, z: 9, y: []}\n");
    expect(replace("# old\na: 1\n", ["a"], true)).toBe("# What z does.\nz: 9\n\n# Y.\ny: []\n");
  });
});

describe("setValue", () => {
  it("replaces a value, or fills an empty one", () => {
    for (const [text, expected] of [
      ["a: 1 # c\n", "a: true # c\n"],
      ["a: # c\n", "a: true # c\n"],
      ["a:\nb: 1\n", "a: true\nb: 1\n"],
    ] as const) {
      expect(apply(text, setValue(text, locate(text, ["a"]).entry, "true"))).toBe(expected);
    }
  });

  it("leaves an empty mapping where the only entry of a block goes", () => {
    const text = "a:\n  # about b\n  b: 1\nc: 2\n";
    const { mapping, entry } = locate(text, ["a", "b"]);
    const edit = removeEntry(text, mapping, entry, true);
    expect(edit === undefined ? "" : applyFix(text, { title: "", edits: [edit] })).toBe("a: {}\nc: 2\n");
    const root = locate("b: 1\n", ["b"]);
    expect(removeEntry("b: 1\n", root.mapping, root.entry, false)?.newText).toBe("");
  });
});
