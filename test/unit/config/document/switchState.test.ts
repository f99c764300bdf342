import { describe, expect, it } from "vitest";
import { parseConfig } from "../../../../src/core/config/document/configDocument.js";
import { asMapping, entryOf } from "../../../../src/core/config/document/configNode.js";
import { switchStateOf } from "../../../../src/core/config/document/switchState.js";

describe("switchStateOf", () => {
  it.each([
    ["true", "on"],
    ["off", "off"],
    ["'false'", "on"],
    ["''", "off"],
    ["1", "on"],
    ["0.0", "off"],
    ["null", "off"],
    ["[]", "off"],
    ["{a: 1}", "on"],
    ["${a.b}", "deferred"],
    ["???", "deferred"],
  ])("takes %s as Python does: %s", (value, state) => {
    const root = asMapping(parseConfig(`k: ${value}\n`, "omegaconf").root);
    expect(switchStateOf(entryOf(root, "k"))).toBe(state);
  });

  it("tells an absent key apart", () => {
    expect(switchStateOf(undefined)).toBe("absent");
  });
});
