import { describe, expect, it } from "vitest";
import { expandPath } from "../../../../src/core/modules/source/expandPath.js";

const environment = { HOME: "/home/u", MODELS: "/m", EMPTY: "", SHADOW: undefined };

describe("expandPath", () => {
  it.each([
    ["~/x", "/home/u/x"],
    ["~", "/home/u"],
    ["~other/x", "~other/x"],
    ["a/~/x", "a/~/x"],
    ["$MODELS/q", "/m/q"],
    ["${MODELS}/q", "/m/q"],
    ["${NONE:-~/q}", "/home/u/q"],
    ["${EMPTY:-d}", "d"],
    ["${EMPTY-d}", ""],
    ["${NONE:-${MODELS}/q}", "/m/q"],
    ["${NONE:-${SHADOW:-deep}}", "deep"],
    ["$", "$"],
    ["5$ and ${", "5$ and ${"],
    ["${odd name}", "${odd name}"],
    ["Qwen/Qwen3-8B", "Qwen/Qwen3-8B"],
  ])("%s becomes %s", (text, path) => {
    expect(expandPath(text, environment)).toEqual({ ok: true, value: path });
  });

  it("names the variable that is missing", () => {
    expect(expandPath("$NONE/x", environment)).toMatchObject({
      ok: false,
      problem: { code: "MODEL_PATH_VARIABLE_UNKNOWN", message: expect.stringContaining("NONE") },
    });
  });

  it("does not follow nesting without end", () => {
    const deep = `${"${A:-".repeat(5000)}x${"}".repeat(5000)}`;
    expect(expandPath(deep, {}).ok).toBe(true);
  });
});
