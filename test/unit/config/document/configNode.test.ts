import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import {
  asMapping,
  entryOf,
  followAlias,
  isDeferred,
  nodeAt,
  textOf,
} from "../../../../src/core/config/document/configNode.js";

const root = parseConfig(
  "a: &x {b: {c: text}}\nl: *x\nm: ???\ni: pre${a.b}\nq: '???'\nn: 4\nd: 1\nd: 2\n",
  "omegaconf",
).root;

describe("configuration nodes", () => {
  it("are found by path, aliases followed", () => {
    expect(textOf(nodeAt(root, ["a", "b", "c"]))).toBe("text");
    expect(textOf(nodeAt(root, ["l", "b", "c"]))).toBe("text");
    expect(nodeAt(root, ["a", "missing", "c"])).toBeUndefined();
    expect(nodeAt(root, ["n", "c"])).toBeUndefined();
  });

  it("keep an alias apart from its target", () => {
    const alias = nodeAt(root, ["l"]);
    expect(alias?.kind).toBe("alias");
    expect(alias === undefined ? undefined : followAlias(alias).kind).toBe("mapping");
  });

  it("know what only exists at run time", () => {
    expect(["m", "i", "q", "n", "a"].map((key) => isDeferred(nodeAt(root, [key])))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("take the last of two equal keys", () => {
    expect(entryOf(asMapping(root), "d")?.value).toMatchObject({ value: { type: "int", value: 2 } });
  });

  it("take the last of two equal keys in a long mapping too, and a merged key where it has no own", () => {
    const keys = Array.from({ length: 40 }, (_, at) => `  key_${at}: ${at}\n`).join("");
    const text = `base: &base\n  key_3: merged\n  other: merged\nlong:\n  <<: *base\n${keys}  key_7: again\n`;
    const long = asMapping(nodeAt(parseConfig(text, "pyyaml").root, ["long"]));
    const valueAt = (key: string) => entryOf(long, key)?.value;
    expect(valueAt("key_3")).toMatchObject({ value: { type: "int", value: 3 } });
    expect(textOf(valueAt("key_7"))).toBe("again");
    expect(textOf(valueAt("other"))).toBe("merged");
    expect(entryOf(long, "key_40")).toBeUndefined();
  });
});
