import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { nodeAt, scalarOf } from "../../../../src/core/config/document/configNode.js";
import { followReference, resolveText } from "../../../../src/core/config/document/interpolation.js";

const root = parseConfig(
  [
    "base: /models",
    "n: 8",
    "flag: true",
    "loop: ${pool}",
    "pool: ${loop}",
    "missing: ???",
    "a:",
    "  name: qwen",
    "  path: ${base}/${.name}",
    "  b: {up: '${..name}', abs: '${a.path}'}",
    "switch: ${flag}",
  ].join("\n"),
  "omegaconf",
).root;

function resolve(
  text: string,
  containerPath: readonly string[] = [],
  environment: Record<string, string> = {},
): string | undefined {
  return resolveText(text, { root, containerPath, environment });
}

describe("resolveText", () => {
  it.each([
    ["/plain/path", "/plain/path"],
    ["${base}/x", "/models/x"],
    ["${a.path}", "/models/qwen"],
    ["${n}", "8"],
    ["${oc.env:MODELS,/data}/x", "/data/x"],
    ["${oc.env:MODELS,${base}}/x", "/models/x"],
    ["${oc.env:MODELS,'/with space'}", "/with space"],
    ["${oc.select:a.name,none}", "qwen"],
    ["${oc.select:a.absent,none}", "none"],
    ["cost $5", "cost $5"],
  ])("resolves %s", (text, expected) => {
    expect(resolve(text)).toBe(expected);
  });

  it.each([
    "${loop}",
    "${missing}",
    "${oc.env:MODELS}",
    "${unclosed",
    "${now:%Y}",
    "${a}",
    "${absent}",
    "${...name}",
    "???",
  ])("leaves %s open", (text) => {
    expect(resolve(text)).toBeUndefined();
  });

  it("resolves relative references from the mapping that holds the value", () => {
    expect(resolve("${.name}", ["a"])).toBe("qwen");
    expect(resolve("${..name}", ["a", "b"])).toBe("qwen");
  });

  it("prefers the environment to the default, and never gives its value", () => {
    for (const text of [
      "${oc.env:MODELS,/data}",
      "${oc.env:MODELS}",
      "${oc.env:'MODELS'}",
      "${oc.env:NONE,${oc.env:MODELS}}",
    ])
      expect(resolve(text, [], { MODELS: "/mnt" })).toBe("${oc.env:MODELS}");
    expect(resolve("${oc.env:constructor,/data}")).toBe("/data");
  });

  it("ends on texts that grow", () => {
    const growing = parseConfig("x: ${y}${y}\ny: ${z}${z}\nz: ${x}", "omegaconf").root;
    expect(resolveText("${x}", { root: growing, containerPath: [], environment: {} })).toBeUndefined();
    expect(resolve("${".repeat(5_000))).toBeUndefined();
  });
});

describe("followReference", () => {
  it("reaches values of any type", () => {
    expect(scalarOf(followReference(root, nodeAt(root, ["switch"])))).toEqual({ type: "bool", value: true });
  });

  it("gives up on cycles and open ends", () => {
    expect(followReference(root, nodeAt(root, ["loop"]))).toBeUndefined();
    expect(followReference(root, undefined)).toBeUndefined();
  });
});
