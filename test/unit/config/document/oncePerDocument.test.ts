import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { oncePerDocument } from "../../../../src/core/config/document/oncePerDocument.js";

describe("a result remembered per document", () => {
  it("is computed once for a document and a key, also when there is none", () => {
    const once = oncePerDocument<number | undefined>();
    const document = parseConfig("a: 1", "pyyaml");
    let calls = 0;
    const work = (result: number | undefined) => () => {
      calls += 1;
      return result;
    };
    expect(once(document, "number", work(7))).toBe(7);
    expect(once(document, "number", work(8))).toBe(7);
    expect(once(document, "nothing", work(undefined))).toBeUndefined();
    expect(once(document, "nothing", work(9))).toBeUndefined();
    expect(calls).toBe(2);
  });

  it("is not shared between two documents of the same text", () => {
    const once = oncePerDocument<string>();
    expect(once(parseConfig("a: 1", "pyyaml"), "", () => "first")).toBe("first");
    expect(once(parseConfig("a: 1", "pyyaml"), "", () => "second")).toBe("second");
  });
});
