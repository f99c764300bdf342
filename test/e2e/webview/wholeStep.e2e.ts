import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Harness, settle, startHarness } from "./harness.js";
import { pixelsIn, takePicture } from "./pageSteps.js";
import { THEMES } from "./themes.js";

const profile = readFileSync("test/fixtures/profiles/whole-step-qwen3-0.6b.offload");

let harness: Harness;
let page: Page;

beforeAll(async () => {
  harness = await startHarness();
  page = harness.page;
});
afterAll(() => harness.close());

/** A colour of the dark theme over its background, as the page shows a part of less than full strength. */
function mixed(name: "charts-red" | "charts-purple", strength: number): string {
  const { [name]: over, "editor-background": under } = THEMES.dark.variables;
  const channel = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  const channels = [1, 3, 5].map((at) =>
    Math.round(channel(over, at) * strength + channel(under, at) * (1 - strength)),
  );
  return `#${channels.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

const take = (name: string) => takePicture(page, name);

describe("the profile of a whole step", () => {
  it("stacks device memory by part and names the peak", async () => {
    await harness.open(profile, "dark", { width: 1600, height: 1000 });
    await settle(page);
    // The head takes more than half of the peak, the optimizer's states lie below everything through the whole step.
    expect((await pixelsIn(page, mixed("charts-red", 0.7), 2)).count).toBeGreaterThan(2000);
    expect((await pixelsIn(page, mixed("charts-purple", 0.6), 2)).count).toBeGreaterThan(2000);
    await take("timeline-whole-step");
  });

  it("lists phases and parts of the peak of the run in front", async () => {
    const note = page.locator(".whole-step summary");
    const sentence =
      "in head backward: 26.0 bytes × 8,192 tokens × 151,936 vocabulary, head verl_torch with entropy eager";
    expect(await note.textContent()).toBe(`Peak of veomni_async ${sentence}`);
    const rows = (name: string) => page.getByRole("table", { name, exact: true }).locator("tbody tr");
    expect(await rows("Phases").locator("th").allTextContents()).toEqual([
      "stack forward",
      "head forward",
      "head backward",
      "stack backward",
      "clip",
      "optimizer",
    ]);
    expect(await rows("Phases").and(page.locator(".is-shown")).locator("th").textContent()).toBe("head backward");
    expect((await rows("The peak").locator("td").allTextContents()).slice(0, 3)).toEqual([
      "18.5\u00a0GiB",
      "55\u00a0%",
      "4",
    ]);
    await page.getByRole("tab").first().click();
    expect(await note.textContent()).toBe(`Peak of none ${sentence}`);
  });

  it("finds nothing wrong with values that the host reads from the device", async () => {
    expect(await page.getByText("which it depends on").count()).toBe(0);
  });

  it("keeps its colours apart in the light theme", async () => {
    await harness.open(profile, "light", { width: 1200, height: 760 });
    await take("timeline-whole-step-light");
  });
});
