import { describe, expect, it } from "vitest";
import { readMatchArguments } from "../../../src/cli/matchArguments.js";

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
    [["x"], '"x" is not an argument of match.'],
    [["--config-json", "c", "--auto"], "--config-json is not supported by match yet; give --model or --tree."],
  ])("says what is wrong with %j", (args, reason) => {
    expect(readMatchArguments(args)).toBe(reason);
  });
});
