import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readOffloadSettings } from "../../../src/core/config/readConfig.js";
import type { EffectFigures } from "../../../src/core/effect/effectFigures.js";
import { effectHints } from "../../../src/core/effect/effectHints.js";
import { readingOfText } from "../config/ofText.js";
import { figures } from "./figures.js";

const sample = readFileSync(new URL("../../../media/sample/veomni.yaml", import.meta.url), "utf8");

function hintsOf(text: string, given: Partial<EffectFigures> = {}) {
  const [settings] = readOffloadSettings("/c/veomni.yaml", text);
  if (settings === undefined) throw new Error("the sample has no block");
  return effectHints(text, settings, figures(given));
}

test("the hint stands behind the value of the switch, before a comment", () => {
  const text = sample.replace("activation_offload: true\n", "activation_offload: true  # enough\n");
  expect(text).not.toBe(sample);
  expect(
    hintsOf(text).map(({ offset, label }) => [
      text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset).trim(),
      label.replaceAll(/[\u00a0\u202f]/g, " "),
    ]),
  ).toEqual([["enable_async_activation_offload: true", "simulated: peak stays 30.0 GiB, 1122 ms"]]);
});

test("no hint shares its place with one that says what a value is", () => {
  const places = (text: string) => readingOfText("/c/veomni.yaml", text)?.hints.map(({ offset }) => offset) ?? [];
  const interpolated = sample.replace("activation_offload: true\n", "activation_offload: ${oc.env:OFFLOAD,true}\n");
  expect(interpolated).not.toBe(sample);
  for (const text of [sample, interpolated]) {
    const taken = places(text);
    expect(taken.length).toBeGreaterThan(0);
    expect(hintsOf(text).filter(({ offset }) => taken.includes(offset))).toEqual([]);
  }
});

test("whatever the figures are, the editor has nothing to cut, and every number keeps its unit", () => {
  const bytes = fc.double({ min: 0, max: 2 ** 50, noNaN: true });
  const ms = fc.double({ min: 0, max: 1e12, noNaN: true });
  fc.assert(
    fc.property(bytes, bytes, ms, (without, after, stepMs) => {
      const given = { peakBytes: { without, with: after }, stepMs: { without: stepMs, with: stepMs } };
      const [label = ""] = hintsOf(sample, given).map((hint) => hint.label);
      expect(label.length).toBeLessThanOrEqual(40);
      expect(label).toMatch(
        /^simulated: peak (stays )?[\d.,]+\u00a0\w*B( → [\d.,]+\u00a0\w*B)?(, [\d.e+]+\u00a0m?s( a step)?)?$/,
      );
    }),
  );
});

test("a key that only a comment names gets no hint", () => {
  const hints = hintsOf(sample.replace("enable_async_activation_offload:", "# enable_async_activation_offload:"));
  expect(hints).toEqual([]);
});
