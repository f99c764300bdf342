import { expect, it } from "vitest";
import { followsVerlFormat } from "../../../../src/core/config/document/verlFormat.js";

it("holds for verl's own config tree only", () => {
  expect(followsVerlFormat("src/verl/trainer/config/engine/veomni.yaml")).toBe(true);
  expect(followsVerlFormat("C:\\verl\\trainer\\config\\engine\\veomni.yaml")).toBe(true);
  expect(followsVerlFormat("my/trainer/config/engine/veomni.yaml")).toBe(false);
});
