import { describe, expect, it } from "vitest";
import { fail, succeed } from "../../../src/core/base/outcome.js";
import { loadEngine, readAnswer, requestText } from "../../../src/profiler/engine.js";

const engine = { profile: () => undefined, version: () => "1" };

describe("loadEngine", () => {
  it("takes the first that loads and remembers what failed before", () => {
    const loaded = loadEngine(
      (path) => {
        if (path === "a") throw new Error("version `GLIBC_2.38' not found\nsecond line");
        return engine;
      },
      ["a", "b", "c"],
    );
    expect(loaded.engine).toBe(engine);
    expect(loaded.attempts).toEqual([{ path: "a", reason: "version `GLIBC_2.38' not found" }]);
  });

  it.each([null, 7, {}, { profile: () => undefined }, { version: () => "1" }])(
    "does not take %j for the engine",
    (value) => {
      const loaded = loadEngine(() => value, ["a"]);
      expect(loaded.engine).toBeUndefined();
      expect(loaded.attempts).toHaveLength(1);
    },
  );

  it("says in a few words that a file is missing", () => {
    const missing = Object.assign(new Error("Cannot find module 'a'\nRequire stack:"), { code: "MODULE_NOT_FOUND" });
    const loaded = loadEngine(() => {
      throw missing;
    }, ["a", "b"]);
    expect(loaded.attempts).toEqual([
      { path: "a", reason: "no such file" },
      { path: "b", reason: "no such file" },
    ]);
  });
});

describe("requestText", () => {
  it("holds no half of a surrogate pair", () => {
    const text = requestText({ configJson: "{}", patterns: ["a\ud800", "\udc00b", "\u{1f600}"] });
    expect(JSON.parse(text)).toEqual({ configJson: "{}", patterns: ["a\ufffd", "\ufffdb", "\u{1f600}"] });
  });
});

describe("readAnswer", () => {
  const problem = { code: "SAVE_FAILED", message: "m", nextStep: "n" };
  it.each([
    ['{"schema":"offload-profile/1"}', succeed({ resultJson: '{"schema":"offload-profile/1"}' })],
    [JSON.stringify({ problem }), fail(problem)],
    [JSON.stringify({ problem, resultJson: '{"a":1}' }), succeed({ resultJson: '{"a":1}', saveProblem: problem })],
    ['{"problem":null}', { ok: false, problem: expect.objectContaining({ code: "PROFILER_PROTOCOL" }) }],
  ])("reads %s", (json, message) => {
    expect(readAnswer(json)).toEqual(message);
  });
});
