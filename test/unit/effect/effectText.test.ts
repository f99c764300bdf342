import { expect, test } from "vitest";
import { effectLine, effectTooltip } from "../../../src/core/effect/effectText.js";
import { figures } from "./figures.js";

/** Units stand behind a blank that does not break. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, " ");
}

test("one line: that it is simulated, then freed, pinned, hidden, step", () => {
  expect(plain(effectLine(figures()))).toBe(
    "Simulated, H200: frees 2.19 GiB · pins 2.19 GiB · 98 % hidden · step about the same",
  );
  // A line of 97 characters ran out of an editor in a window of 1280 px.
  expect(effectLine(figures({ deviceName: "RTX 4090" })).length).toBeLessThan(90);
});

test("an offload that moves nothing, or costs memory, says so", () => {
  const nothing = figures({ freedBytes: 0, pinnedBytes: 0, hiddenShare: null, overheadShare: 0, stepTrend: "same" });
  expect(effectLine(nothing)).toBe("Simulated, H200: frees nothing · step about the same");
  expect(plain(effectLine(figures({ freedBytes: -(2 ** 30) })))).toMatch(/^Simulated, H200: keeps 1.00 GiB more · /);
  expect(effectLine(figures({ overheadShare: -0.02 }))).toContain("step about the same");
  expect(effectLine(figures({ overheadShare: -0.4, stepTrend: "better" }))).toContain("step −40 %");
  expect(effectLine(figures({ overheadShare: 1.12, stepTrend: "worse" }))).toContain("step +112 %");
});

test("the tooltip says what is exact, the range of times, and whether the peak fits", () => {
  const text = effectTooltip(figures({ fits: false }));
  expect(text).toContain(
    "Simulated on H200: 8,192 tokens × 1 sequence, one GPU. Tokens from the settings. Sequences by default",
  );
  expect(text).toContain("After forward it frees 2.19");
  expect(text).toContain("(exact)");
  expect(text).toContain("expect 1032 ms to 1212 ms; the difference is within the simulated range.");
  expect(effectTooltip(figures({ stepTrend: "worse" }))).toContain("expect 1032 ms to 1212 ms.");
  expect(text).toContain("more than the device has");
  expect(effectTooltip(figures({ isExact: false }))).toContain("an estimate, the model is approximated");
});
