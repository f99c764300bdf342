import { describe, expect, it } from "vitest";
import { asyncWithoutCheckpointingRule } from "../../../../src/core/config/rules/asyncWithoutCheckpointing.js";
import { engineExample } from "../../../../src/core/config/rules/example.js";
import { type PlainFile, plainFile, told } from "./plainFile.js";

const rule = asyncWithoutCheckpointingRule<PlainFile>({
  offload: "the offload",
  explanation: "A framework of one table.",
  example: engineExample("seed: a"),
  offBesideOffload: ({ written }) => written.find(({ path }) => path === "checkpointing")?.entry,
  turnOn: (_, entry) => [{ title: "Turn on", edits: [{ span: entry.value.span, newText: "true" }] }],
});

describe("asyncWithoutCheckpointingRule", () => {
  it("finds checkpointing that is off beside the offload", () => {
    const text = "checkpointing: false\n";
    expect(told(text, rule.check(plainFile(text, {})))).toEqual([
      "information checkpointing: false: Without gradient checkpointing, the offload moves layer inputs only; the other activations stay on the device. → true",
    ]);
  });

  it("is silent otherwise", () => {
    expect(rule.check(plainFile("other: false\n", {}))).toEqual([]);
  });
});
