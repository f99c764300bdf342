// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts under test write ${…} themselves
import { describe, expect, it } from "vitest";
import { compositionError } from "../../../../src/core/config/hydra/composition.js";
import { parseOverride } from "../../../../src/core/config/hydra/parse.js";

function verdict(text: string, multirun = false): string | undefined {
  const parsed = parseOverride(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return compositionError(parsed.override, multirun)?.code;
}

describe("compositionError", () => {
  it.each([
    ["k=a,b", "SWEEP_IN_SINGLE_RUN"],
    ["k=choice(a,b)", "SWEEP_IN_SINGLE_RUN"],
    ["k.0=x", "LIST_INDEX_IN_KEY"],
    ["a.12.b=x", "LIST_INDEX_IN_KEY"],
    ["=x", "KEY_MALFORMED"],
    ["k='${a'", "INTERPOLATION_UNCLOSED"],
    ["k=[{x: 'a ${'}]", "INTERPOLATION_UNCLOSED"],
  ])("%s is refused with %s", (text, code) => {
    expect(verdict(text)).toBe(code);
  });

  it.each(["k=[a,b]", "+k=[x]", "k=${a.b}", "k=", "~k", "a.layer0.b=1", "k=int(4)"])("%s composes", (text) => {
    expect(verdict(text)).toBeUndefined();
  });

  it("lets a sweep pass in a multirun", () => {
    expect(verdict("k=a,b", true)).toBeUndefined();
  });
});
