import { describe, expect, it } from "vitest";
import { boolMismatch, intMismatch } from "../../../../src/core/config/rules/scalarMismatch.js";
import { resolvePlainScalar } from "../../../../src/core/config/yaml/plainScalar.js";

describe("boolMismatch", () => {
  it.each([
    ["true", undefined],
    ["null", undefined],
    ["y", ["warning", ["true"]]],
    ["maybe", ["warning", ["true", "false"]]],
    ["0", ["information", ["false"]]],
    ["2", ["information", ["true"]]],
  ])("of %s", (text, expected) => {
    const found = boolMismatch(resolvePlainScalar(text, "pyyaml"));
    expect(found === undefined ? undefined : [found.severity, found.replacements]).toEqual(expected);
  });
});

describe("intMismatch", () => {
  it.each([
    ["3", undefined],
    ["many", ["error", []]],
    ["yes", ["warning", ["1"]]],
    ["2.0", ["warning", ["2"]]],
    ["2.5", ["warning", []]],
  ])("of %s", (text, expected) => {
    const found = intMismatch(resolvePlainScalar(text, "pyyaml"));
    expect(found === undefined ? undefined : [found.severity, found.replacements]).toEqual(expected);
  });
});
