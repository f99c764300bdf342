import { describe, expect, it } from "vitest";
import { UNKNOWN_MARK } from "../../../../src/core/config/hydra/value.js";
import { readShell } from "../../../../src/core/config/shell/readShell.js";

/** The calls of `p`, in the order in which they are read. */
function calls(script: string): readonly string[] {
  const commands = readShell(script).commands.map(({ words }) => words.map(({ text }) => text).join(" "));
  return commands.filter((command) => command.startsWith("p "));
}

describe("traps", () => {
  it.each<[string, string[]]>([
    [`trap "p a=1" EXIT`, ["p a=1"]],
    [`trap 'p a=1' 0`, ["p a=1"]],
    [`trap -- "p a=1" SIGEXIT`, ["p a=1"]],
    [`A=1\ntrap 'p a=$A' EXIT\nA=2`, ["p a=2"]],
    [`A=1\ntrap "p a=$A" EXIT\nA=2`, ["p a=1"]],
    [`trap 'p a=1' EXIT\np b=2`, ["p b=2", "p a=1"]],
    [`trap 'p a=1' EXIT\ntrap 'p a=2' EXIT`, ["p a=2"]],
    [`trap 'p a=1' EXIT\ntrap - EXIT`, []],
    [`trap 'p a=1' EXIT\ntrap '' EXIT`, []],
    [`A=1\ntrap 'p a=$A' INT TERM`, [`p a=${UNKNOWN_MARK}`, `p a=${UNKNOWN_MARK}`]],
    [`(trap 'p a=1' EXIT; p b=2)\np c=3`, ["p b=2", "p a=1", "p c=3"]],
    [`if x; then trap 'p a=1' EXIT; else trap 'p a=2' EXIT; fi`, ["p a=1", "p a=2"]],
    [`trap -p EXIT\ntrap -l`, []],
    [`trap "$X" EXIT`, []],
  ])("%s", (script, expected) => {
    expect(calls(script)).toEqual(expected);
  });
});
