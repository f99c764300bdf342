import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleContainer } from "../../unit/profile/sampleProfile.js";
import { type Harness, type NamedBytes, startHarness } from "./harness.js";
import { pressKeys, takePicture } from "./pageSteps.js";

/*
 * Pictures of real traces for the documentation, in test/output/webview. What they show is checked by number, so that no
 * picture of something broken is taken.
 */

const WIDE = { width: 1600, height: 1000 };
const trace = (name: string): NamedBytes => ({
  name: `${name}.pt.trace.json.gz`,
  bytes: readFileSync(`test/fixtures/traces/${name}.pt.trace.json.gz`),
});

let harness: Harness;
let page: Page;

beforeAll(async () => {
  harness = await startHarness();
  page = harness.page;
});
afterAll(() => harness.close());

const press = (...keys: string[]) => pressKeys(page, ...keys);

const take = (name: string) => takePicture(page, name);

describe("a real H200 trace", () => {
  it("as it opens", async () => {
    await harness.openTraces([trace("q8_s8k_gc_veomni")], "dark", WIDE);
    expect(await page.locator('[data-figure="exposed"] .figure-value').textContent()).toBe("4.55\u00a0ms");
    await press("t");
    await page.locator(".metrics table").first().waitFor();
    await take("timeline-trace");
  });

  it("close up, with the selected copy and what started it", async () => {
    await press("i", ".", "j", ".", ".", "f");
    expect(await page.locator(".details h2").textContent()).toBe("Memcpy DtoH (Device -> Pinned)");
    await take("timeline-copy");
  });
});

describe("two ranks of one job", () => {
  const ranks = ["fsdp2_q8x16_s8k_gc_veomni_rank0", "fsdp2_q8x16_s8k_gc_veomni_rank1"].map(trace);

  it("side by side", async () => {
    await harness.openTraces(ranks, "dark", WIDE);
    // The same streams of both ranks below each other.
    for (const lane of ["Compute, stream 7", "D2H copies", "H2D copies", "Collectives"]) {
      await page.locator(`.lane-item[aria-label^="${lane}"]`).first().focus();
      await press("p");
    }
    await press("b");
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await take("timeline-ranks");
    expect(await page.locator(".lane-item[aria-label*=pinned]").count()).toBeGreaterThanOrEqual(8);
  });

  it("compared", async () => {
    await harness.openTraces(ranks, "light", WIDE);
    await press("b", "x");
    await page.locator(".compare-result tbody tr").first().waitFor();
    await take("timeline-compare");
  });
});

describe("high contrast", () => {
  it("shows a profile with a selected copy, its sums and the findings", async () => {
    await harness.open(sampleContainer(8), "highContrast", WIDE);
    await press(".", "j", "t");
    await page.locator(".metrics table").first().waitFor();
    await take("timeline-high-contrast");
  });
});
