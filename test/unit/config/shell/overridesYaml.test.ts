import { describe, expect, it } from "vitest";
import { readOverrideList } from "../../../../src/core/config/shell/overridesYaml.js";

describe("readOverrideList", () => {
  it("maps every character of plain and quoted entries", () => {
    const text = `- a=1\n- 'k=[''x'']'\n- "m=\\"y\\""\n- "n=z"\n`;
    const entries = readOverrideList(text);
    expect(entries.map((entry) => entry.text)).toEqual(["a=1", "k=['x']", 'm="y"', "n=z"]);
    expect(entries[0]?.starts).toEqual([2, 3, 4]);
    expect(text.slice(entries[1]?.starts[3], entries[1]?.ends[3])).toBe("''");
    expect(text.slice(entries[2]?.starts[0], entries[2]?.ends[0])).toBe('"m=\\"y\\""');
    expect(entries[3]?.starts).toEqual([text.indexOf("n="), text.indexOf("n=") + 1, text.indexOf("n=") + 2]);
  });

  it.each(["a: 1", "", "[", "- {a: 1}\n- [b]", "\0"])("finds no strings in %j", (text) => {
    expect(readOverrideList(text)).toEqual([]);
  });
});
