import { describe, expect, it } from "vitest";
import { engine, fixed, summary } from "../../checkedText.js";

function modules(value: string, enabled = "true"): string {
  return engine(`enable_async_activation_offload: ${enabled}`, `activation_offload_modules: ${value}`);
}

describe("list-entry-not-string", () => {
  it.each([
    ["[a, 3]", "3", '[a, "3"]'],
    ["[yes]", "yes", '["yes"]'],
    ["\n  - {model.layers.*}", "{model.layers.*}", '\n  - "model.layers.*"'],
    ["\n  - 1.5 # c", "1.5", '\n  - "1.5" # c'],
  ])("finds %j and writes a text", (value, place, after) => {
    expect(summary(modules(value))).toEqual([`error list-entry-not-string|${place}`]);
    const written = place.startsWith("{") ? place.slice(1, -1) : place;
    const result = fixed(`Write "${written}"`, modules(value));
    expect(result).toBe(modules(after));
    expect(summary(result)).toEqual([]);
  });

  it.each([
    ["[[a], b]", "[a]"],
    ["[{a: 1}]", "{a: 1}"],
    ["[~]", "~"],
  ])("finds %s without guessing what was meant", (value, place) => {
    expect(summary(modules(value))).toEqual([`error list-entry-not-string|${place}`]);
  });

  it("goes by consequence", () => {
    expect(summary(modules("[3]", "false"))).toContain("information list-entry-not-string|3");
    expect(summary(engine("basic_modules: [3]"))).toEqual(["warning list-entry-not-string|3"]);
    expect(summary(engine("basic_modules: [[a]]"))).toEqual(["error list-entry-not-string|[a]"]);
  });

  it.each(["[a, 'b', \"3\"]", "['${a.b}', '???']", "\n  - ${a.b}\n  - ???", "\n  - a\n  - |-\n    b"])(
    "is content with %j",
    (value) => {
      expect(summary(modules(value))).toEqual([]);
    },
  );
});
