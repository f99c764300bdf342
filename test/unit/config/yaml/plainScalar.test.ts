import { describe, expect, it } from "vitest";
import { resolvePlainScalar, type ScalarValue } from "../../../../src/core/config/yaml/plainScalar.js";

function str(value: string): ScalarValue {
  return { type: "str", value };
}
function int(value: number): ScalarValue {
  return { type: "int", value };
}
function float(value: number): ScalarValue {
  return { type: "float", value };
}
function bool(value: boolean): ScalarValue {
  return { type: "bool", value };
}

describe("resolvePlainScalar", () => {
  it.each<[string, ScalarValue]>([
    ["", { type: "null" }],
    ["~", { type: "null" }],
    ["Null", { type: "null" }],
    ["None", str("None")],
    ["yes", bool(true)],
    ["On", bool(true)],
    ["OFF", bool(false)],
    ["no", bool(false)],
    ["y", str("y")],
    ["N", str("N")],
    ["tRUE", str("tRUE")],
    ["0", int(0)],
    ["-17", int(-17)],
    ["10_000_000", int(10_000_000)],
    ["010", int(8)],
    ["08", str("08")],
    ["0x1F", int(31)],
    ["-0b101", int(-5)],
    ["1:30", int(90)],
    ["-1:30", int(-90)],
    ["4.0", float(4)],
    [".5", float(0.5)],
    ["4.", float(4)],
    ["1:30.5", float(90.5)],
    [".inf", float(Number.POSITIVE_INFINITY)],
    ["-.Inf", float(Number.NEGATIVE_INFINITY)],
    [".nan", float(Number.NaN)],
    ["inf", str("inf")],
    ["nan", str("nan")],
    ["4GB", str("4GB")],
    ["2026-08-22", str("2026-08-22")],
    ["._", str("._")],
    ["0x_", str("0x_")],
  ])("reads %j alike for both loaders", (source, expected) => {
    expect(resolvePlainScalar(source, "omegaconf")).toEqual(expected);
    expect(resolvePlainScalar(source, "pyyaml")).toEqual(expected);
  });

  it.each([
    ["1e-5", 1e-5],
    ["1e3", 1000],
    ["2.5e1", 25],
    ["1_0e2", 1000],
  ])("reads %s as a number for OmegaConf only", (source, value) => {
    expect(resolvePlainScalar(source, "omegaconf")).toEqual(float(value));
    expect(resolvePlainScalar(source, "pyyaml")).toEqual(str(source));
  });

  it("keeps absurdly long digits as text", () => {
    expect(resolvePlainScalar("1".repeat(401), "omegaconf").type).toBe("str");
  });
});
