import { describe, expect, it } from "vitest";
import { engine, fixed, summary } from "../../checkedText.js";

describe("async-reentrant", () => {
  it("finds reentrant checkpointing beside offload", () => {
    const text = engine("enable_async_activation_offload: true", "enable_reentrant: true");
    expect(summary(text)).toEqual(["warning async-reentrant|enable_reentrant: true"]);
    expect(summary(fixed("Set enable_reentrant to false", text))).toEqual([]);
  });

  it.each([
    ["true", "false"],
    ["false", "true"],
    ["${a.b}", "true"],
  ])("is content with offload %s and reentrant %s", (async, reentrant) => {
    expect(summary(engine(`enable_async_activation_offload: ${async}`, `enable_reentrant: ${reentrant}`))).toEqual([]);
  });
});
