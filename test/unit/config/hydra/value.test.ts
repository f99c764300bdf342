import { describe, expect, it } from "vitest";
import { parseValue } from "../../../../src/core/config/hydra/parse.js";
import { describeValue, type HydraValue, sameValue } from "../../../../src/core/config/hydra/value.js";

function readValue(text: string): HydraValue {
  const parsed = parseValue(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

describe("describeValue", () => {
  it.each([
    ["null", "null"],
    ["TRUE", "true"],
    ["[a,{b: 1.5}]", '["a", {b: 1.5}]'],
    ["a,b", 'a sweep over "a", "b"'],
    ["range(3)", "range(…)"],
  ])("%s", (text, expected) => {
    expect(describeValue(readValue(text))).toBe(expected);
  });
});

describe("sameValue", () => {
  it("ignores quotes and places, not types", () => {
    expect(sameValue(readValue("['a', b]"), readValue("[a,b]"))).toBe(true);
    expect(sameValue(readValue("[1]"), readValue("['1']"))).toBe(false);
    expect(sameValue(readValue("true"), readValue("'true'"))).toBe(false);
  });
});
