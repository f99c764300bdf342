import { expect, test } from "vitest";
import { effectLine, effectTooltip } from "../../../src/core/effect/effectText.js";
import { figures } from "./figures.js";

/** Units stand behind a blank that does not break. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, " ");
}

test("one line: freed, pinned, hidden, step, and that it is simulated", () => {
  expect(plain(effectLine(figures()))).toBe(
    "frees 2.19 GiB after forward · pins 2.19 GiB · copies 98 % hidden · step +0.1 % (simulated, H200)",
  );
});

test("an offload that moves nothing, or costs memory, says so", () => {
  const nothing = figures({ freedBytes: 0, pinnedBytes: 0, hiddenShare: null, overheadShare: 0 });
  expect(effectLine(nothing)).toBe("frees nothing after forward · step +0.0 % (simulated, H200)");
  expect(plain(effectLine(figures({ freedBytes: -(2 ** 30) })))).toMatch(/^keeps 1.00 GiB more after forward/);
  expect(effectLine(figures({ overheadShare: -0.02 }))).toContain("step −2.0 %");
});

test("the tooltip says what is exact, the range of times, and whether the peak fits", () => {
  const text = effectTooltip(figures({ fits: false }));
  expect(text).toContain("Simulated on H200: 8192 tokens × 1 sequence");
  expect(text).toContain("(exact)");
  expect(text).toContain("expect 1032 ms to 1212 ms");
  expect(text).toContain("more than the device has");
  expect(effectTooltip(figures({ isExact: false }))).toContain("an estimate, the model is approximated");
});
