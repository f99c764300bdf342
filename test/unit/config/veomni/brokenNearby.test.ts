import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { isBrokenNearby } from "../../../../src/core/config/veomni/brokenNearby.js";

function brokenAt(text: string, place: string): boolean {
  const start = text.indexOf(place);
  return isBrokenNearby(parseConfig(text, "pyyaml"), { start, end: start + place.length });
}

describe("isBrokenNearby", () => {
  it("looks at the same line and one line around it", () => {
    const text = "one: 1\ntwo: 2\nthree:\n\tfour: 4\nfive: 5\nsix: 6\n";
    const found = ["one", "two", "three", "four", "five", "six"].map((key) => brokenAt(text, key));
    expect(found).toEqual([false, false, true, true, true, false]);
  });

  it("is false in a text that reads", () => {
    expect(brokenAt("one: 1\n", "one")).toBe(false);
  });
});
