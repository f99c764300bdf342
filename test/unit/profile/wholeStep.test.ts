import { describe, expect, it } from "vitest";
import { readArguments } from "../../../src/core/base/readFlags.js";
import { profileTable } from "../../../src/core/profile/profileArguments.js";

function parse(line: string) {
  return readArguments(profileTable, ["--model", "m", ...line.split(" ")]);
}

describe("flags of the whole step", () => {
  it("become members of the request", () => {
    const line =
      "--head verl_torch --entropy chunked --autocast off --loss-scaled on --head-chunk 512 --entropy-chunk 1024 " +
      "--optimizer adamw_loop --master fp32 --shard fsdp2 --reduce last --accumulation 4 --clip off --pass train";
    expect(parse(line)).toMatchObject({
      kind: "request",
      request: {
        settings: {
          head: "verl_torch",
          entropy: "chunked",
          autocast: false,
          lossScaled: true,
          headChunk: 512,
          entropyChunk: 1024,
          optimizer: "adamw_loop",
          master: "fp32",
          shard: "fsdp2",
          reduce: "last",
          accumulation: 4,
          clip: false,
          pass: "train",
        },
      },
    });
  });

  it("are left to the engine where they are not given", () => {
    const parsed = parse("--head hf_eager");
    expect(parsed).toMatchObject({ kind: "request" });
    if (parsed.kind === "request") expect(parsed.request.settings).toEqual({ head: "hf_eager" });
  });

  it.each([
    "--accumulation 0",
    "--entropy loud",
    "--optimizer sgd",
    "--clip yes",
    "--head-chunk 0",
    "--pass backward",
    "--head a-b",
  ])("%s is refused", (line) => {
    expect(parse(line).kind).not.toBe("request");
  });
});
