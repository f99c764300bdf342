import { describe, expect, it } from "vitest";
import {
  foreignVerlEngineField,
  isHydraKey,
  removedVerlEngineField,
  verlEngineField,
  verlEngineFields,
  verlEngineKeysUnder,
} from "../../../../../src/core/config/verl/fields/verlEngine.js";
import { verlEngineForeign } from "../../../../../src/core/config/verl/fields/verlEngineForeign.js";

describe("the field table of verl's VeOmni engine", () => {
  it("has 55 fields, each once", () => {
    expect(verlEngineFields.length).toBe(55);
    expect(new Set(verlEngineFields.map((field) => field.key)).size).toBe(55);
  });

  it("has defaults of the declared type", () => {
    const types: Record<string, (value: unknown) => boolean> = {
      bool: (value) => typeof value === "boolean",
      int: (value) => Number.isInteger(value),
      float: (value) => typeof value === "number",
      str: (value) => typeof value === "string",
      "list[str]": (value) => Array.isArray(value),
      map: (value) => typeof value === "object",
    };
    for (const field of verlEngineFields) {
      if (field.yamlDefault === undefined) continue;
      const fits = field.yamlDefault === null ? field.nullable : types[field.type]?.(field.yamlDefault);
      expect([field.key, fits]).toEqual([field.key, true]);
    }
  });

  it("has defaults inside its own sets and bounds", () => {
    for (const field of verlEngineFields) {
      const value = field.yamlDefault;
      if (typeof value === "string" && field.allowed !== undefined) expect(field.allowed.values).toContain(value);
      if (typeof value === "number" && field.range?.minimum !== undefined) {
        expect(value).toBeGreaterThanOrEqual(field.range.minimum);
      }
    }
  });

  it("holds the bounds of the host cache limit", () => {
    expect(verlEngineField("activation_offload_host_cache_limit_gb")).toMatchObject({
      type: "float",
      yamlDefault: 4,
      range: { minimum: 0, maximum: 8589934591 },
    });
  });

  it("keeps removed and foreign keys out of the living ones", () => {
    expect(verlEngineField("activation_gpu_limit")).toBeUndefined();
    expect(removedVerlEngineField("activation_gpu_limit")?.removed).toContain("#7724");
    for (const foreign of verlEngineForeign) {
      expect(verlEngineField(foreign.key)).toBeUndefined();
      if (foreign.replacement !== undefined)
        expect(verlEngineField(foreign.replacement)?.key).toBe(foreign.replacement);
    }
    expect(foreignVerlEngineField("enable_async_activation")?.replacement).toBe("enable_async_activation_offload");
  });

  it("lists the keys of one level", () => {
    expect(verlEngineKeysUnder("router_replay")).toEqual(["mode", "record_file", "replay_file"]);
    expect(verlEngineKeysUnder("")).not.toContain("router_replay.mode");
    expect(isHydraKey("_convert_")).toBe(true);
    expect(isHydraKey("seed")).toBe(false);
  });
});
