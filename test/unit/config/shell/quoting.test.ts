// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test write ${…} themselves
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseValue } from "../../../../src/core/config/hydra/parse.js";
import {
  hydraList,
  hydraQuoted,
  replaceValue,
  shellQuoted,
  valueSource,
  withQuotesKept,
} from "../../../../src/core/config/shell/quoting.js";
import { readShell, type ShellWord } from "../../../../src/core/config/shell/readShell.js";

function wordOf(script: string): ShellWord {
  const word = readShell(script)
    .commands.at(-1)
    ?.words.find((one) => one.text.startsWith("k="));
  if (word === undefined) throw new Error("no word k=");
  return word;
}

function replaced(script: string, value: string): string | undefined {
  const edit = replaceValue(wordOf(script), 1, value);
  return edit && script.slice(0, edit.span.start) + edit.newText + script.slice(edit.span.end);
}

describe("quoting for Hydra and for the shell", () => {
  it("comes back as the same text from Hydra's grammar", () => {
    const atom = fc.constantFrom("a", '"', "'", "\\", "{", "]", ",", "$", " ");
    fc.assert(
      fc.property(fc.array(atom, { maxLength: 12 }), (atoms) => {
        const parsed = parseValue(hydraQuoted(atoms.join("")));
        expect(parsed.ok && parsed.value).toMatchObject({ kind: "string", text: atoms.join("") });
      }),
      { seed: 11, numRuns: 2000 },
    );
    expect(hydraList(["a.{*}", 'b"'])).toBe('["a.{*}","b\\""]');
  });

  it("comes back as one word from the shell", () => {
    const atom = fc.constantFrom("a", '"', "'", "\\", "{", "]", ",", "$", " ", "`", "$(");
    fc.assert(
      fc.property(fc.array(atom, { minLength: 1, maxLength: 12 }), (atoms) => {
        const words = readShell(`p ${shellQuoted(atoms.join(""))}`).commands[0]?.words.map((word) => word.text);
        expect(words).toEqual(["p", atoms.join("")]);
      }),
      { seed: 12, numRuns: 2000 },
    );
    expect(shellQuoted("a.b/c-1")).toBe("a.b/c-1");
  });
});

describe("replaceValue", () => {
  it.each<[string, string | undefined]>([
    ["p k=x y", `p k='["z"]' y`],
    ["p k='x' y", `p k='["z"]' y`],
    ["p 'k=x' y", `p 'k=["z"]' y`],
    ['p "k=x" y', 'p "k=[\\"z\\"]" y'],
    ["p k= y", `p k='["z"]' y`],
    ["p k='' y", `p k='["z"]' y`],
    ['A=(k=x)\np "${A[@]}"', `A=(k='["z"]')\np "\${A[@]}"`],
    ['V="a k=x b"\np $V', 'V="a k=[\\"z\\"] b"\np $V'],
    ["X=x\np k=$X", undefined],
    ["p $'k=x'", undefined],
    [`p "k="'x'`, undefined],
  ])("%j", (script, expected) => {
    expect(replaced(script, '["z"]')).toBe(expected);
  });

  it("refuses a single quote inside single quotes", () => {
    expect(replaced("p 'k=x'", "it's")).toBeUndefined();
    expect(valueSource(wordOf("p 'k=x'"), 1)).toEqual({ start: 5, end: 6 });
  });
});

describe("withQuotesKept", () => {
  it("puts the quotes back, with and without one that closes the whole", () => {
    expect(withQuotesKept(wordOf('p k=["a"]'), 1)).toEqual(['k=["a"]']);
    expect(withQuotesKept(wordOf('p "k=["a"]"'), 1)).toEqual(['k=["a"]', 'k=["a"]"']);
    expect(withQuotesKept(wordOf("p k=a"), 1)).toEqual([]);
  });
});
