import { expect, it } from "vitest";
import { helpOf } from "../../../src/core/base/flagHelp.js";
import { commandTable, inGroup, one, several, toggle } from "../../../src/core/base/flags.js";
import { succeed } from "../../../src/core/base/outcome.js";
import { anyText, aPath } from "../../../src/core/base/valueKinds.js";

it("prints the whole table: usage, groups, wrapped texts, exit codes", () => {
  const table = commandTable({
    name: "weigh",
    summary: "say how heavy a step is",
    about: "\nOne paragraph.",
    operands: { name: "PATH", what: "a file", most: 3 },
    flags: {
      ...inGroup("What", {
        "--model": one("DIR", aPath, "the model"),
        "--pattern": several("P", anyText, `${"word ".repeat(25)}end`, { most: 9 }),
      }),
      "--a-flag-with-quite-a-long-name": one("VALUE", anyText, "has a line of its own"),
      "--json": toggle("as JSON"),
    },
    choices: [{ of: ["--model", "--pattern"], needed: "something" }, { of: ["--json"] }],
    notes: "A note.",
    exits: { 1: "too heavy" },
    read: () => succeed(undefined),
  });
  expect(helpOf("lens", table)).toBe(`lens weigh: say how heavy a step is.

Usage: lens weigh PATH… (--model DIR | --pattern P…) [options]

One paragraph.

What:
  --model DIR   the model
  --pattern P…  word word word word word word word word word word word word word word word word word word word
                word word word word word word end

  --a-flag-with-quite-a-long-name VALUE
                has a line of its own
  --json        as JSON
  --help        this text

A note.

Exit: 0 fine, 1 too heavy, 2 wrong usage.
`);
});
