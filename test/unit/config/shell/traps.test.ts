import { describe, expect, it } from "vitest";
import { parseOverride } from "../../../../src/core/config/hydra/parse.js";
import { readShell } from "../../../../src/core/config/shell/readShell.js";
import { findTrap, fixValue, type ReadWord } from "../../../../src/core/config/shell/traps.js";

function readWordOf(argument: string, change: Partial<ReadWord> = {}): ReadWord {
  const source = `p ${argument}`;
  const [, word, ...following] = readShell(source).commands[0]?.words ?? [];
  if (word === undefined) throw new Error("no word");
  const parsed = parseOverride(word.text);
  const value = parsed.ok ? parsed.override.value : undefined;
  const equals = word.text.indexOf("=");
  return {
    source,
    word,
    equals,
    value,
    expects: undefined,
    following,
    isCutOff: false,
    hasCommandAbove: true,
    canEdit: true,
    ...change,
  };
}

describe("findTrap", () => {
  it("says how many words belong to a split value", () => {
    expect(findTrap(readWordOf('k=["a", "b", "c"] j=1'))).toMatchObject({ trap: { code: "word-split" }, swallowed: 2 });
    expect(findTrap(readWordOf("k=[a j=1 b]"))).toBeUndefined();
  });

  it("gives no fix where the text must not be rewritten", () => {
    const found = findTrap(readWordOf('k=["a.{*}"]', { canEdit: false }));
    expect(found?.trap.code).toBe("quotes-lost");
    expect(found?.trap.fix).toBeUndefined();
    expect(fixValue(readWordOf("k=a", { canEdit: false }), "t", "b")).toBeUndefined();
  });

  it.each([
    ["k=no", "other", undefined],
    ["k=no", "bool", "truthy-word"],
    ["k=a", "list", "string-instead-of-list"],
    ["k=a", "other", undefined],
    ["k=norway", "bool", undefined],
    ["k=['1']", "other", "quotes-lost"],
    ["k='a'", "other", undefined],
  ] as const)("%s where a %s is expected", (argument, expects, code) => {
    expect(findTrap(readWordOf(argument, { expects }))?.trap.code).toBe(code);
  });

  it("puts a command that was cut off first", () => {
    expect(findTrap(readWordOf("k=no", { isCutOff: true }))?.trap.code).toBe("cut-off");
  });
});
