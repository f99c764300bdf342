import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import type { YamlReader } from "../../../../src/core/config/yaml/plainScalar.js";
import { sameValue } from "../../../fuzz/sameValue.mjs";
import { type Tagged, taggedValue } from "../../../fuzz/taggedValue.js";

interface Recorded {
  readonly text: string;
  readonly reader: YamlReader;
  readonly loads: boolean;
  readonly value?: Tagged;
}

/** What PyYAML 6.0.3 and OmegaConf 2.3.0 said (`node test/fuzz/yamlFuzz.mjs --record`). */
const recorded = JSON.parse(
  readFileSync(new URL("../../../fixtures/config/yaml/recorded.json", import.meta.url), "utf8"),
) as readonly Recorded[];

describe("texts that the Python loaders were asked about", () => {
  it("are a few hundred of both kinds", () => {
    expect(recorded.filter(({ loads }) => loads).length).toBeGreaterThan(100);
    expect(recorded.filter(({ loads }) => !loads).length).toBeGreaterThan(100);
  });

  it("load here exactly when they do there", () => {
    const different = recorded.filter(({ text, reader, loads }) => {
      const { syntaxProblems, duplicateKeys } = parseConfig(text, reader);
      return loads !== (syntaxProblems.length === 0 && (reader === "pyyaml" || duplicateKeys.length === 0));
    });
    expect(different).toEqual([]);
  });

  it("have the same values", () => {
    const different = recorded.filter(
      ({ text, reader, loads, value }) =>
        loads &&
        !/\*[\w-]+[ \t]*:/.test(text) &&
        !sameValue(taggedValue(parseConfig(text, reader).root), value ?? null),
    );
    expect(different).toEqual([]);
  });
});
