import { describe, expect, it } from "vitest";
import { type KnownValues, valueFindings } from "../../../../src/core/config/rules/unknownValue.js";
import { plainFile, told } from "./plainFile.js";

function found(value: string, known: Partial<KnownValues> | undefined): readonly string[] {
  const text = `key: ${value}\n`;
  const { written } = plainFile(text, { key: { type: "str", description: "" } });
  const values = known && ({ values: ["eager", "sdpa"], severity: "error", ...known } as const);
  return told(
    text,
    written.flatMap((each) => valueFindings(each, values)),
  );
}

describe("valueFindings", () => {
  it("names the values, the nearest one and what another does", () => {
    expect(found("egaer", {})).toEqual([
      'error egaer: key has no value "egaer"; known: eager, sdpa. Did you mean eager? → eager',
    ]);
    expect(found("flash", { severity: "hint", failure: "it stops" })).toEqual([
      'hint flash: key has no value "flash" (it stops); known: eager, sdpa.',
    ]);
  });

  it("cuts a value that nobody reads to its end", () => {
    expect(found("x".repeat(6_000), {})[0]?.length).toBeLessThan(6_200);
    expect(found("x".repeat(6_000), {})[0]).toContain(`"${"x".repeat(60)}…"; known`);
  });

  it.each(["eager", "3", "null", "???", "${a.b}"])("is silent on %s", (value) => {
    expect(found(value, {})).toEqual([]);
  });

  it("is silent on keys that take any text", () => {
    expect(found("flash", undefined)).toEqual([]);
  });
});
