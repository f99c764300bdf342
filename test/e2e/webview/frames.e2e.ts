import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FRAME_MEASURE } from "../../../src/webview/kit/frameTime.js";
import { type Harness, startHarness } from "./harness.js";
import { pressKeys } from "./pageSteps.js";

/*
 * What one frame costs the page itself. Times are printed, not judged: they are the machine's. What is judged is that frames
 * are drawn and that no answer holds more boxes than the screen can show. OFFLOAD_LENS_FRAME_EVENTS sets the size.
 */

const EVENTS = Number(process.env.OFFLOAD_LENS_FRAME_EVENTS ?? 1_000_000);

let harness: Harness;
let page: Page;

beforeAll(async () => {
  harness = await startHarness();
  page = harness.page;
});
afterAll(() => harness.close());

it(`pans and zooms over ${EVENTS.toLocaleString("en")} events`, { timeout: 300_000 }, async () => {
  await harness.openDense(EVENTS);
  await page.evaluate((name) => {
    const found: number[] = [];
    Object.assign(window, { frameMs: found });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntriesByName(name)) found.push(entry.duration);
    }).observe({ type: "measure" });
  }, FRAME_MEASURE);
  const steps = ["w", "w", "d", "w", "a", "w", "d", "w", "w", "a", "s", "d", "s", "s", "a", "s", "d", "s", "s", "s"];
  const taken = () => page.evaluate(() => (window as unknown as { readonly frameMs: number[] }).frameMs.splice(0));
  const say = (what: string, frames: readonly number[]) => {
    const ms = frames.toSorted((a, b) => a - b);
    const at = (share: number) => (ms[Math.floor(ms.length * share)] ?? Number.NaN).toFixed(2);
    console.log(
      `page, ${EVENTS.toLocaleString("en")} events, ${what}, ${ms.length} frames: median ${at(0.5)} ms, 95th percentile ${at(0.95)} ms`,
    );
  };
  // Cold: the browser has not compiled anything yet.
  await taken();
  await pressKeys(page, ...steps);
  say("cold", await taken());
  for (let round = 0; round < 2; round++) await pressKeys(page, ...steps);
  const warm = await taken();
  say("warm", warm);
  const most = await page.evaluate(() => window.harness.mostBoxes);
  expect(warm.length).toBeGreaterThan(30);
  // Three screens of at most 1,600 pixels at up to twice the resolution, two boxes per pixel.
  expect(most).toBeLessThanOrEqual(3 * 1_600 * 2 * 2);
  expect(most).toBeGreaterThan(500);
});
