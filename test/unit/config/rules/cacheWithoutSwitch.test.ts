import { describe, expect, it } from "vitest";
import { cacheWithoutSwitchRule } from "../../../../src/core/config/rules/cacheWithoutSwitch.js";
import { engineExample } from "../../../../src/core/config/rules/example.js";
import type { Written } from "../../../../src/core/config/rules/field.js";
import { type PlainFile, plainFile, told } from "./plainFile.js";

const rule = cacheWithoutSwitchRule<PlainFile, Written>({
  switchName: "offload",
  example: engineExample("seed: a"),
  unusedLimitOf: ({ written }) => written.find(({ path }) => path === "limit"),
  fixes: (_, { entry }) => [{ title: "Remove", edits: [{ span: entry.span, newText: "" }] }],
});

describe("cacheWithoutSwitchRule", () => {
  it("finds the limit that the framework says is unused, by the name of its switch", () => {
    const text = "limit: 8\n";
    expect(told(text, rule.check(plainFile(text, {})))).toEqual([
      "hint limit: activation_offload_host_cache_limit_gb has no effect while offload is off. → ",
    ]);
    expect(rule.explanation).toContain("While offload is off there are none.");
  });

  it("is silent without one", () => {
    expect(rule.check(plainFile("other: 8\n", {}))).toEqual([]);
  });
});
