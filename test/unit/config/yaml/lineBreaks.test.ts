import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { migrateDocument } from "../../../../src/core/config/migrate/migrateDocument.js";
import { readOffloadSettings } from "../../../../src/core/config/readConfig.js";
import { withEdits } from "../../../../src/core/config/write/editedLines.js";
import {
  endsLinesWithReturns,
  hasLineBreak,
  lineEndAt,
  lineStartAt,
  linesOfText,
  nextLineAt,
  withLineFeeds,
  withReturns,
} from "../../../../src/core/config/yaml/lineBreaks.js";
import { applyFix } from "../checkedText.js";

function fixture(name: string): string {
  return readFileSync(`test/fixtures/config/${name}`, "utf8");
}

describe("a line", () => {
  const text = "a\nb\r\nc\rd\x85e\u2028f\u2029g";

  it("ends at everything that PyYAML breaks at, a carriage return with its line feed at once", () => {
    expect(linesOfText(text)).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
    const starts: number[] = [];
    for (let at = 0; at < text.length; at = nextLineAt(text, at)) starts.push(at);
    expect(starts.map((at) => text[at])).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
    expect(starts.map((at) => text.slice(at, lineEndAt(text, at))).join("")).toBe("abcdefg");
    expect(starts.map((at) => lineStartAt(text, lineEndAt(text, at)))).toEqual(starts);
  });

  it("may be the only one", () => {
    expect([hasLineBreak("a"), hasLineBreak("a\u2028")]).toEqual([false, true]);
    expect([nextLineAt("a", 0), lineEndAt("", 0), lineStartAt("a", -1)]).toEqual([1, 0, 0]);
  });
});

describe("lone carriage returns", () => {
  it("count as line breaks and keep every offset", () => {
    expect(withLineFeeds("a\rb\r\nc\n\rd\r")).toBe("a\nb\r\nc\n\nd\n");
    expect([endsLinesWithReturns("a\rb"), endsLinesWithReturns("a\r\nb"), endsLinesWithReturns("a")]).toEqual([
      true,
      false,
      false,
    ]);
    expect(withReturns("a\nb\r\nc")).toBe("a\rb\rc");
  });

  it.each(["many.bad.yaml", "veomni/many.bad.yaml", "composed.good.yaml", "veomni/model-scoped.good.yaml"])(
    "change nothing about what is found in %s, nor about the fixes",
    (name) => {
      const text = fixture(name);
      const returns = text.replaceAll("\n", "\r");
      const expected = checkDocument("experiment.yaml", text);
      const found = checkDocument("experiment.yaml", returns);
      expect(found?.dialect).toBe(expected?.dialect);
      const seen = (all: typeof found) => all?.diagnostics.map(({ code, span, severity }) => [code, severity, span]);
      expect(seen(found)).toEqual(seen(expected));
      const fixed = (all: typeof found, source: string) =>
        all?.diagnostics.flatMap(({ fixes }) => fixes.map((fix) => applyFix(source, fix)));
      expect(fixed(found, returns)).toEqual(fixed(expected, text)?.map((each) => each.replaceAll("\n", "\r")));
      const settings = readOffloadSettings("experiment.yaml", returns);
      expect(settings).toEqual(readOffloadSettings("experiment.yaml", text));
    },
  );

  it("are kept by a migration", () => {
    const text = fixture("migrate/flat.yaml");
    const plain = migrateDocument("a.yaml", text, "model-scoped");
    const kept = migrateDocument("a.yaml", text.replaceAll("\n", "\r"), "model-scoped");
    expect(kept.ok && kept.value.text).toBe(plain.ok && plain.value.text.replaceAll("\n", "\r"));
    expect(kept.ok && withEdits(text.replaceAll("\n", "\r"), kept.value.edits)).toBe(kept.ok && kept.value.text);
    const done = migrateDocument("a.yaml", kept.ok ? kept.value.text : "", "model-scoped");
    expect(done.ok && done.value.edits).toEqual([]);
  });
});
