import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleContainer } from "../../unit/profile/sampleProfile.js";
import { type Harness, settle, startHarness } from "./harness.js";
import { pressKeys } from "./pageSteps.js";
import type { ThemeName } from "./themes.js";

let harness: Harness;
let page: Page;

beforeAll(async () => {
  harness = await startHarness();
  page = harness.page;
});
afterAll(() => harness.close());

/** Small, so that a picture of every theme is compared quickly. */
const SIZE = { width: 760, height: 560 };

/** Red, green and blue of each pixel of the boxes' canvas over the page's background. */
async function boxes(): Promise<Uint8Array> {
  const base64 = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>("canvas.boxes");
    const copy = document.createElement("canvas");
    const context = copy.getContext("2d");
    if (!canvas || !context) throw new Error("no canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--vscode-editor-background");
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let text = "";
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    return btoa(text);
  });
  return Buffer.from(base64, "base64").filter((_, at) => at % 4 !== 3);
}

const hasGpu = () =>
  page.evaluate(() => document.querySelector<HTMLCanvasElement>("canvas.boxes")?.getContext("2d") === null);

/** Share of the colour values that differ by more than rounding. */
function difference(a: Uint8Array, b: Uint8Array): number {
  expect(a.length).toBe(b.length);
  return a.filter((value, at) => Math.abs(value - (b[at] ?? 0)) > 6).length / a.length;
}

async function withoutWebGl(): Promise<void> {
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind === "webgl2" ? null : Reflect.apply(original, this, [kind, ...rest]);
    } as typeof original;
  });
}

describe("WebGL2 and its fallback", () => {
  const shown = [
    ["dark", 8],
    ["light", 8],
    ["highContrast", 8],
    ["dark", 800],
  ] as const;
  const drawn = new Map<string, Uint8Array>();

  it.each(shown)("draws in %s with %i layers", async (theme: ThemeName, count) => {
    await harness.open(sampleContainer(count), theme, SIZE);
    expect(await hasGpu()).toBe(true);
    drawn.set(`${theme} ${count}`, await boxes());
    expect(new Set(drawn.get(`${theme} ${count}`)).size).toBeGreaterThan(4);
  });

  it("goes on in 2-D with the same picture when the graphics context is lost", async () => {
    await harness.open(sampleContainer(8), "dark", SIZE);
    const before = await boxes();
    await page.evaluate(() => {
      const gl = document.querySelector<HTMLCanvasElement>("canvas.boxes")?.getContext("webgl2");
      gl?.getExtension("WEBGL_lose_context")?.loseContext();
    });
    await expect.poll(hasGpu).toBe(false);
    await settle(page);
    expect(difference(before, await boxes())).toBeLessThan(0.02);
    await pressKeys(page, "w", "d");
    expect(difference(before, await boxes())).toBeGreaterThan(0.02);
  });

  it("is still there after the file has changed often", async () => {
    await harness.open(sampleContainer(2), "dark", SIZE);
    const warnings: string[] = [];
    const note = (message: { text(): string }) => void warnings.push(message.text());
    page.on("console", note);
    const base64 = Buffer.from(sampleContainer(2)).toString("base64");
    for (let change = 0; change < 24; change++) {
      await page.evaluate((content) => window.harness.open(content), base64);
      await settle(page);
    }
    expect(await hasGpu()).toBe(true);
    expect(warnings).toEqual([]);
    page.off("console", note);
  });

  it("draws the same without WebGL2", async () => {
    await withoutWebGl();
    for (const [theme, count] of shown) {
      await harness.open(sampleContainer(count), theme, SIZE);
      expect(await hasGpu()).toBe(false);
      const before = drawn.get(`${theme} ${count}`) ?? new Uint8Array();
      expect(difference(before, await boxes()), `${theme} ${count}`).toBeLessThan(0.02);
    }
  });
});

describe("density", () => {
  it("leaves nothing out below a pixel: every stretch with events has ink at every zoom", async () => {
    await withoutWebGl();
    await harness.open(sampleContainer(800), "dark", SIZE);
    const inkless = () =>
      page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>("canvas.boxes");
        const context = canvas?.getContext("2d");
        if (!canvas || !context) throw new Error("no 2-D canvas");
        // The middle of the compute lane, over the whole plot: in the sample it is busy nearly all the time.
        const left = (document.querySelector(".gutter")?.clientWidth ?? 0) + 8;
        const { data } = context.getImageData(left, 75, canvas.width - left - 14, 1);
        let blank = 0;
        for (let at = 0; at < data.length; at += 4) if ((data[at + 3] ?? 0) < 64) blank++;
        return blank / (data.length / 4);
      });
    expect(await inkless()).toBe(0);
    for (let zoom = 0; zoom < 6; zoom++) {
      await pressKeys(page, "w", "w");
      expect(await inkless()).toBeLessThan(0.1);
    }
  });
});
