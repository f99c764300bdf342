import { describe, expect, it } from "vitest";
import { readShell } from "../../../../src/core/config/shell/readShell.js";
import { flagBoolean, flagNumber, readVeomniFlags } from "../../../../src/core/config/shell/veomniFlags.js";

function flags(text: string): unknown[] {
  const words = readShell(text).commands[0]?.words ?? [];
  return readVeomniFlags(words).map((flag) => [
    flag.keyPath,
    flag.inlineAt === undefined ? flag.values.map((value) => value.text) : flag.word.text.slice(flag.inlineAt),
  ]);
}

describe("readVeomniFlags", () => {
  it("reads values, lists, inline values and bare flags", () => {
    expect(flags('x.yaml --a.b 1 --c.d=2 --e "p.{*}" q --f --g= --h -1 -.5 --i.j')).toEqual([
      ["a.b", ["1"]],
      ["c.d", "2"],
      ["e", ["p.{*}", "q"]],
      ["f", []],
      ["g", ""],
      ["h", ["-1", "-.5"]],
      ["i.j", []],
    ]);
  });

  it("leaves what is no flag alone", () => {
    expect(flags("a -x -- --1 b")).toEqual([]);
  });
});

describe("types of words", () => {
  it.each(["yes", "TRUE", "t", "Y", "1"])("%s is true", (text) => {
    expect(flagBoolean(text)).toBe(true);
  });
  it.each(["no", "False", "f", "N", "0"])("%s is false", (text) => {
    expect(flagBoolean(text)).toBe(false);
  });
  it.each(["on", "off", "", "2", "none"])("%j is refused", (text) => {
    expect(flagBoolean(text)).toBeUndefined();
  });
  it.each<[string, number | undefined]>([
    ["4", 4],
    ["-1.5e3", -1500],
    [".5", 0.5],
    ["1_000", 1000],
    ["inf", Infinity],
    ["-Infinity", -Infinity],
    ["nan", Number.NaN],
    ["4GB", undefined],
    ["", undefined],
    ["0x10", undefined],
  ])("%j as a number", (text, expected) => {
    expect(flagNumber(text)).toEqual(expected);
  });
});
