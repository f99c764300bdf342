import { describe, expect, it } from "vitest";
import { commandTable, listed, one, several, toggle, withDefault } from "../../../src/core/base/flags.js";
import { describeProblem, succeed } from "../../../src/core/base/outcome.js";
import { readArguments } from "../../../src/core/base/readFlags.js";
import { anyText, oneOf, wholeNumber } from "../../../src/core/base/valueKinds.js";

const flags = {
  "--layers": one("N", wholeNumber({ least: 1, most: 9 }), "how many"),
  "--seq": listed("N", wholeNumber({ least: 1, most: 99 }), "lengths", 3),
  "--pattern": several("P", anyText, "patterns", { most: 4 }),
  "--strategy": several("S", oneOf(["none", "async"]), "strategies", { most: 4, split: true }),
  "--gc": withDefault(one("on|off", oneOf(["on", "off"]), "checkpointing"), "on"),
  "--json": toggle("as JSON"),
};
const plain = commandTable({ name: "try", summary: "", flags, read: ({ flags: values }) => succeed(values) });
const filing = commandTable({
  name: "file",
  summary: "",
  operands: { name: "FILE", what: "a file", most: 2 },
  flags,
  choices: [{ of: ["--json", "--layers"] }],
  read: ({ flags: values, operands }) => succeed({ ...values, operands }),
});

function read(args: string, table: typeof plain | typeof filing = plain): unknown {
  const found = readArguments(table, args === "" ? [] : args.split(" "));
  if (found.kind === "wrong") return describeProblem(found.problem);
  return found.kind === "help" ? "help" : found.request;
}

describe("readArguments", () => {
  it("gives every flag a value, or what stands for its absence", () => {
    expect(read("")).toEqual({
      "--layers": undefined,
      "--seq": undefined,
      "--pattern": undefined,
      "--strategy": undefined,
      "--gc": "on",
      "--json": false,
    });
    expect(read("--layers 2 --seq 3,4 --pattern a b --json --pattern=c --strategy none,async --gc off")).toEqual({
      "--layers": 2,
      "--seq": [3, 4],
      "--pattern": ["a", "b", "c"],
      "--strategy": ["none", "async"],
      "--gc": "off",
      "--json": true,
    });
  });

  it.each([
    ["--pattern -x --json", ["-x"]],
    ["--pattern=-x", ["-x"]],
    ["--pattern=--x=y a", ["--x=y"]],
    ["--pattern - -1", ["-", "-1"]],
  ])("takes values that begin with a dash: %s", (line, patterns) => {
    expect(read(line, line.endsWith(" a") ? filing : plain)).toMatchObject({ "--pattern": patterns });
  });

  it("takes operands among flags, and anything as one after --", () => {
    expect(read("a --json -", filing)).toMatchObject({ operands: ["a", "-"], "--json": true });
    expect(read("--json -- --json -h", filing)).toMatchObject({ operands: ["--json", "-h"], "--json": true });
    expect(read("--pattern p -- a", filing)).toMatchObject({ operands: ["a"], "--pattern": ["p"] });
  });

  it("gives help whatever else is wrong, but not for a word after --", () => {
    for (const line of ["--help", "-h", "--nonsense -h", "--layers 0 --help"]) expect(read(line)).toBe("help");
    expect(read("--", filing)).toBe("ARGUMENT_MISSING: file needs a file. Give FILE.");
    expect(read("-- --help", filing)).toMatchObject({ operands: ["--help"] });
  });

  it.each([
    ["--layers -1", "FLAG_VALUE_WRONG: --layers does not take -1. Use a whole number from 1 to 9."],
    ["--layers", "FLAG_VALUE_MISSING: --layers needs a value. Give --layers N."],
    [
      "--layers --json",
      "FLAG_VALUE_MISSING: --layers needs a value. What follows, --json, is read as a flag. Give --layers N; a value that begins with -- is written --layers=--….",
    ],
    ["--layers 1 --layers 1", "FLAG_REPEATED: --layers is given twice. Give it once."],
    ["--layers=", "FLAG_VALUE_WRONG: --layers has an empty value. Use a whole number from 1 to 9."],
    ["--seq 1,2,3,4", "FLAG_VALUE_WRONG: --seq takes at most 3 values, and 4 are given. Give fewer."],
    ["--seq 1,,2", "FLAG_VALUE_WRONG: --seq has an empty value. Use a whole number from 1 to 99."],
    ["--pattern", "FLAG_VALUE_MISSING: --pattern needs at least one value. Give --pattern P…."],
    ["--strategy asynk", "FLAG_VALUE_WRONG: --strategy does not take asynk. Did you mean async?"],
    ["--json=yes", "FLAG_VALUE_WRONG: --json takes no value. Give --json alone."],
    ["--help=yes", "FLAG_VALUE_WRONG: --help takes no value. Give --help alone."],
    ["--patern x", "FLAG_UNKNOWN: try has no flag --patern. Did you mean --pattern?"],
    ["-json", "FLAG_UNKNOWN: try has no flag -json. Did you mean --json?"],
    ["--constructor", "FLAG_UNKNOWN: try has no flag --constructor. Leave it out."],
    ["--__proto__=1", "FLAG_UNKNOWN: try has no flag --__proto__. Leave it out."],
    ["-1", "FLAG_UNKNOWN: try has no flag -1. Leave it out."],
    [
      "far",
      'ARGUMENT_UNEXPECTED: "far" is not expected here; every value of try follows a flag. Leave it out, or put its flag before it.',
    ],
    [
      "layers 3",
      'ARGUMENT_UNEXPECTED: "layers" is not expected here; every value of try follows a flag. Did you mean --layers?',
    ],
  ])("says what is wrong with %s", (line, message) => {
    expect(read(line)).toBe(message);
  });

  it("says so of operands and of flags that exclude each other, too", () => {
    expect(read("a b c", filing)).toMatch(/^ARGUMENT_UNEXPECTED: file takes at most 2 FILE, and 3 are given\./);
    expect(read("a --json --layers 1", filing)).toBe(
      "FLAGS_CONFLICT: --json and --layers exclude each other. Give one of them.",
    );
    expect(read("-x", filing)).toBe(
      "FLAG_UNKNOWN: file has no flag -x. Leave it out. A FILE that begins with - is given after --.",
    );
  });

  it("ends in linear time and repeats no word of any length", () => {
    const many = Array<string>(100_000).fill("a");
    expect(readArguments(filing, many)).toMatchObject({ kind: "wrong" });
    const words = many.flatMap((word) => ["--pattern", word]);
    expect(readArguments(plain, words)).toMatchObject({ kind: "wrong", problem: { code: "FLAG_VALUE_WRONG" } });
    expect(String(read(`--${"x".repeat(100_000)}`)).length).toBeLessThan(400);
    expect(String(read(`--layers ${"9".repeat(100_000)}`)).length).toBeLessThan(400);
  });
});
