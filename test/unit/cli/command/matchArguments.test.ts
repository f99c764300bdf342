import { describe, expect, it } from "vitest";
import { readMatchArguments } from "../../../../src/cli/command/matchArguments.js";

describe("readMatchArguments", () => {
  it("collects patterns over repeated flags and several values", () => {
    const request = readMatchArguments([
      "--model",
      "m",
      "--pattern",
      "a",
      "b",
      "--json",
      "--pattern=c=d",
      "--pattern",
      "",
    ]);
    expect(request).toMatchObject({ model: "m", patterns: ["a", "b", "c=d", ""], json: true, explain: false });
  });

  it("takes the automatic mode for an empty list and leaves the list of a config open", () => {
    expect(readMatchArguments(["--tree", "t", "--auto"])).toMatchObject({ tree: "t", patterns: [] });
    expect(readMatchArguments(["--config=c.yaml"])).toMatchObject({ config: "c.yaml", patterns: undefined });
  });

  it.each([
    [["--model", "a", "--model", "b", "--auto"], "--model is given twice."],
    [["--model", "--auto"], "--model needs a value."],
    [["--model=", "--auto"], "--model needs a value."],
    [["x"], '"x" is not an argument of match.'],
    [["--config-json", "c", "--tree", "t", "--auto"], "Give one source: --model, --config-json or --tree."],
    [["--tree", "t", "--python", "p", "--auto"], "--python builds a model; it does not go with --tree."],
    [["--tree", "t", "--seq", "8", "--auto"], "--seq goes with --explain."],
    [["--tree", "t", "--explain", "--seq", "8k", "--auto"], "--seq is a whole number from 1 to 16777216."],
    [["--tree", "t", "--explain", "--gc", "yes", "--auto"], "--gc is on or off."],
    [["--tree", "t", "--explain", "--cache-limit-gb", "-1", "--auto"], "--cache-limit-gb is a number from 0 on."],
    [["--model", "m", "--time-limit", "0", "--auto"], "--time-limit is a whole number from 1 to 86400."],
  ])("says what is wrong with %j", (args, reason) => {
    expect(readMatchArguments(args)).toBe(reason);
  });
});
