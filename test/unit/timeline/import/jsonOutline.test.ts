import { expect, it } from "vitest";
import { outlineJson } from "../../../../src/core/timeline/import/jsonOutline.js";

it("names the outermost members only", () => {
  expect(outlineJson('{"a": {"b": [1, {"c": 2}]}, "d" : "e: f", "g": null}')).toEqual({
    isList: false,
    keys: ["a", "d", "g"],
    first: "object",
  });
});

it("names the members of a list's first element, and no other's", () => {
  expect(outlineJson(' [ {"ph": "X", "args": {"x": 1}}, {"name": 2}]')).toEqual({
    isList: true,
    keys: ["ph", "args"],
    first: "object",
  });
});

it("reads what breaks off in a string, a name or a bracket", () => {
  expect(outlineJson('{"a": "b').keys).toEqual(["a"]);
  expect(outlineJson('{"a": 1, "tra').keys).toEqual(["a"]);
  expect(outlineJson('{"a": [[[{').keys).toEqual(["a"]);
});

it("is not fooled by brackets, quotes and colons in strings", () => {
  expect(outlineJson('{"a\\"": "}{:", "b]": 1}').keys).toEqual(['a\\"', "b]"]);
});

it.each([
  ["[[1.5, 2], [3]]", "numbers"],
  ["[ [ -1", "numbers"],
  ["[-1]", "other"],
  ["[1", "other"],
  ["[]", "other"],
  ['["a"]', "other"],
  ["[", "other"],
] as const)("tells what the list %j begins with", (text, first) => {
  expect(outlineJson(text)).toEqual({ isList: true, keys: [], first });
});
