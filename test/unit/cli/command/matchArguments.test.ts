import { describe, expect, it } from "vitest";
import { matchTable } from "../../../../src/cli/command/matchArguments.js";
import { describeProblem } from "../../../../src/core/base/outcome.js";
import { readArguments } from "../../../../src/core/base/readFlags.js";

function read(args: readonly string[]) {
  const found = readArguments(matchTable, args);
  if (found.kind === "wrong") return describeProblem(found.problem);
  return found.kind === "help" ? "help" : found.request;
}

describe("matchTable", () => {
  it("collects patterns over repeated flags and several values", () => {
    const request = read(["--model", "m", "--pattern", "a", "b", "--json", "--pattern=c=d", "--pattern", ""]);
    expect(request).toMatchObject({ model: "m", patterns: ["a", "b", "c=d", ""], json: true, explain: false });
  });

  it("takes the automatic mode for an empty list and leaves the list of a config open", () => {
    expect(read(["--tree", "t", "--auto"])).toMatchObject({ tree: "t", patterns: [] });
    expect(read(["--config=c.yaml"])).toMatchObject({ config: "c.yaml", patterns: undefined });
  });

  it("takes patterns that begin with a dash", () => {
    expect(read(["--tree", "t", "--pattern", "-x", "a", "--pattern=--y"])).toMatchObject({
      patterns: ["-x", "a", "--y"],
    });
  });

  it.each([
    [["--model", "a", "--model", "b", "--auto"], "FLAG_REPEATED: --model is given twice."],
    [["--model", "--auto"], "FLAG_VALUE_MISSING: --model needs a value. What follows, --auto, is read as a flag."],
    [["--model=", "--auto"], "FLAG_VALUE_WRONG: --model has an empty value. Use a path."],
    [["x"], 'ARGUMENT_UNEXPECTED: "x" is not expected here; every value of match follows a flag.'],
    [["--tree", "t"], "ARGUMENT_MISSING: match needs patterns. Give --pattern P…, --auto or --config FILE."],
    [["--tree", "t", "--auto", "--config", "c"], "FLAGS_CONFLICT: --auto and --config exclude each other."],
    [["--auto"], "ARGUMENT_MISSING: match needs a model. Give --model DIR|ID, --config-json FILE or --tree FILE."],
    [["--config-json", "c", "--tree", "t", "--auto"], "FLAGS_CONFLICT: --config-json and --tree exclude each other."],
    [
      ["--tree", "t", "--python", "p", "--auto"],
      "FLAGS_CONFLICT: --python builds a model; it does not go with --tree.",
    ],
    [["--tree", "t", "--seq", "8", "--auto"], "FLAGS_CONFLICT: --seq changes only what --explain says. Add --explain"],
    [
      ["--tree", "t", "--explain", "--seq", "8k", "--auto"],
      "FLAG_VALUE_WRONG: --seq does not take 8k. Use a whole number from 1 to 16777216.",
    ],
    [["--tree", "t", "--explain", "--gc", "yes", "--auto"], "FLAG_VALUE_WRONG: --gc does not take yes. Use on or off."],
    [
      ["--tree", "t", "--explain", "--cache-limit-gb", "-1", "--auto"],
      "FLAG_VALUE_WRONG: --cache-limit-gb does not take -1. Use a number from 0 to 8388608.",
    ],
    [
      ["--model", "m", "--time-limit", "0", "--auto"],
      "FLAG_VALUE_WRONG: --time-limit does not take 0. Use a whole number from 1 to 86400.",
    ],
  ])("says what is wrong with %j", (args, reason) => {
    expect(read(args)).toContain(reason);
  });
});
