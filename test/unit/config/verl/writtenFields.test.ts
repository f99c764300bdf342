import { expect, it } from "vitest";
import { writtenField, writtenFields } from "../../../../src/core/config/verl/writtenFields.js";
import { engine } from "../checkedText.js";
import { verlKindOf } from "../ofText.js";

it("lists the keys of a block and of its nested blocks with their rows", () => {
  const block = verlKindOf("x.yaml", engine("router_replay: {mode: R2, other: 1}", "seed: 1", "odd: {a: 1}"))
    ?.blocks[0];
  if (block === undefined) throw new Error("not recognised");
  expect(writtenFields(block).map((written) => [written.path, written.field?.type])).toEqual([
    ["_target_", "str"],
    ["router_replay", "map"],
    ["router_replay.mode", "str"],
    ["router_replay.other", undefined],
    ["seed", "int"],
    ["odd", undefined],
  ]);
  expect(writtenField(block, "seed")?.field?.yamlDefault).toBe(42);
  expect(writtenField(block, "odd")).toBeUndefined();
  expect(writtenField(block, "fsdp_size")).toBeUndefined();
});
