import { describe, expect, it } from "vitest";
import { describeProblem } from "../../../src/core/base/outcome.js";
import { readArguments } from "../../../src/core/base/readFlags.js";
import { profileTable } from "../../../src/core/profile/profileArguments.js";

function parse(line: string) {
  return readArguments(profileTable, line === "" ? [] : line.split(" "));
}

function settingsOf(line: string) {
  const parsed = parse(`--model m ${line}`.trim());
  if (parsed.kind !== "request") throw new Error(JSON.stringify(parsed));
  return parsed.request.settings;
}

describe("profileTable", () => {
  it("reads every flag", () => {
    const line =
      "--model dir --config v.yaml --device cpu --strategy none --strategy veomni_async --gc both --seq 256,512 " +
      "--micro-batch 2 --layers 3 --pattern model.layers.{*} model.norm --cache-limit-gb 0.25 --steps 7 --out a.offload --json";
    expect(parse(line)).toEqual({
      kind: "request",
      request: {
        model: { kind: "directory", path: "dir" },
        configPath: "v.yaml",
        json: true,
        levers: false,
        settings: {
          device: "cpu",
          strategies: ["none", "veomni_async"],
          gradientCheckpointing: "both",
          seqLens: [256, 512],
          microBatch: 2,
          layers: 3,
          patterns: ["model.layers.{*}", "model.norm"],
          cacheLimitGb: 0.25,
          steps: 7,
          outPath: "a.offload",
        },
      },
    });
  });

  it("leaves what is not given to the engine", () => {
    expect(settingsOf("")).toEqual({});
    expect(parse("--config-json c.json")).toMatchObject({ request: { model: { kind: "configJson", path: "c.json" } } });
  });

  it("takes several strategies after one flag, keeps their order and drops repetitions", () => {
    expect(settingsOf("--strategy none,veomni_async verl_sync").strategies).toEqual([
      "none",
      "veomni_async",
      "verl_sync",
    ]);
    expect(settingsOf("--strategy veomni_async none --strategy none").strategies).toEqual(["veomni_async", "none"]);
  });

  it("hands the op model to the engine, which knows the names", () => {
    expect(settingsOf("--op-model layernorm-gelu").opModel).toBe("layernorm-gelu");
  });

  it("takes all strategies at once, the double buffer's key and poison", () => {
    expect(settingsOf("--strategy none all --double-buffer-key original --poison")).toEqual({
      strategies: ["none", "veomni_async", "verl_sync", "verl_double_buffer", "save_on_cpu"],
      doubleBufferKey: "original",
      poison: true,
    });
  });

  it("takes values after an equals sign, also ones that look like a flag", () => {
    expect(settingsOf("--pattern=--odd --seq=8,9 --pattern=a=b")).toEqual({
      patterns: ["--odd", "a=b"],
      seqLens: [8, 9],
    });
  });

  it.each([
    ["--cache-limit-gb 0", { cacheLimitGb: 0 }],
    ["--cache-limit-gb 8589934591", { cacheLimitGb: 8_589_934_591 }],
    ["--cache-limit-gb 1e1", { cacheLimitGb: 10 }],
    ["--cache-limit-gb .5", { cacheLimitGb: 0.5 }],
    ["--device sim:H200", { device: "sim:H200" }],
    ["--steps 1", { steps: 1 }],
    ["--seq 1048576 --micro-batch 64", { seqLens: [1_048_576], microBatch: 64 }],
  ])("accepts %s", (line, expected) => {
    expect(settingsOf(line)).toEqual(expected);
  });

  it.each([
    ["", /^ARGUMENT_MISSING: profile needs a model\. Give --model DIR\|ID or --config-json FILE\.$/],
    ["--model", /--model needs a value/],
    ["--model --json", /--model needs a value/],
    ["--model=", /--model has an empty value\. Use a path/],
    ["--model a --out step.json", /--out does not take step\.json\. Use a name that ends in \.offload/],
    ["--model a --model b", /given twice/],
    ["--model a --config-json b", /exclude each other/],
    ["--model a b", /"b" is not expected/],
    ["--model a --strategy", /at least one value/],
    ["--model a --strategy veomni_asinc", /Did you mean veomni_async/],
    ["--model a --strategy everything", /Use none, veomni_async, .* or all\./],
    ["--model a --double-buffer-key shape", /Use layout or original/],
    ["--model a --op-model Fused!", /Use a name such as hf-eager or fused/],
    ["--model a --poison=1", /takes no value/],
    ["--model a --stategy none", /Did you mean --strategy/],
    ["--model a --device gpu", /auto, cuda, cpu or sim:NAME/],
    ["--model a --device sim:", /auto, cuda, cpu or sim:NAME/],
    ["--model a --gc yes", /on, off or both/],
    ["--model a --seq 0", /from 1 to 1048576/],
    ["--model a --seq 256,", /--seq has an empty value\. Use a whole number/],
    ["--model a --seq 1e3", /whole number/],
    ["--model a --micro-batch -1", /whole number/],
    ["--model a --micro-batch 4097", /from 1 to 4096/],
    ["--model a --layers 2.5", /whole number/],
    ["--model a --layers -1", /^FLAG_VALUE_WRONG: --layers does not take -1\. Use a whole number from 1 to 1024\.$/],
    ["--model a --layers 1025", /from 1 to 1024/],
    ["--model a --seq 8,1048576 --micro-batch 65", /68157440 tokens\. Use at most 67108864 tokens/],
    [`--model a --seq ${Array(1025).fill("8").join(",")}`, /--seq takes at most 1024 values/],
    [`--model a --pattern ${Array(1025).fill("p").join(" ")}`, /--pattern takes at most 1024 values/],
    ["--model a --steps 99999999999999999999", /whole number/],
    ["--model a --cache-limit-gb -1", /from 0 to 8589934591/],
    ["--model a --cache-limit-gb inf", /from 0 to/],
    ["--model a --cache-limit-gb 1e999", /from 0 to/],
    ["--model a --cache-limit-gb 8589934592", /from 0 to/],
    ["--model a --json=1", /takes no value/],
  ])("refuses %j", (line, message) => {
    const parsed = parse(line);
    expect(parsed.kind === "wrong" ? describeProblem(parsed.problem) : parsed).toMatch(message);
  });

  it("puts help before any missing flag", () => {
    expect(parse("--help")).toEqual({ kind: "help" });
    expect(parse("--json -h")).toEqual({ kind: "help" });
  });
});
