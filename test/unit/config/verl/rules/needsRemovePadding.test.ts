import { describe, expect, it } from "vitest";
import { fixed, summaryOf } from "../../checkedText.js";

describe("needs-remove-padding", () => {
  it.each([
    [
      [
        "actor_rollout_ref:",
        "  model:",
        "    use_remove_padding: false",
        "    use_fused_kernels: true",
        "  actor:",
        "    pad_to_length: true",
        "    veomni:",
        "      pad_to_length: true",
        "",
      ].join("\n"),
      [
        "warning needs-remove-padding|use_fused_kernels: true",
        "warning needs-remove-padding|pad_to_length: true",
        "warning needs-remove-padding|pad_to_length: true",
      ],
    ],
  ])("finds %j", (text, expected) => {
    expect(summaryOf("needs-remove-padding", text)).toEqual(expected);
  });

  it.each([
    [
      "Set use_remove_padding to true",
      [
        "actor_rollout_ref:",
        "  model:",
        "    use_remove_padding: false",
        "    use_fused_kernels: true",
        "  actor:",
        "    veomni:",
        "      seed: 1",
        "",
      ].join("\n"),
      [
        "actor_rollout_ref:",
        "  model:",
        "    use_remove_padding: true",
        "    use_fused_kernels: true",
        "  actor:",
        "    veomni:",
        "      seed: 1",
        "",
      ].join("\n"),
    ],
  ])("%s", (title, text, after) => {
    const result = fixed(title, text);
    expect(result).toBe(after);
    expect(summaryOf("needs-remove-padding", result)).toEqual([]);
  });

  it.each([
    [
      "actor_rollout_ref:",
      "  model:",
      "    use_remove_padding: true",
      "    use_fused_kernels: true",
      "  actor:",
      "    veomni:",
      "      seed: 1",
      "",
    ].join("\n"),
    [
      "actor_rollout_ref:",
      "  model:",
      "    use_remove_padding: false",
      "  actor:",
      "    veomni:",
      "      pad_to_length: false",
      "",
    ].join("\n"),
    ["actor_rollout_ref:", "  actor:", "    veomni:", "      pad_to_length: true", ""].join("\n"),
  ])("is content with %j", (text) => {
    expect(summaryOf("needs-remove-padding", text)).toEqual([]);
  });
});
