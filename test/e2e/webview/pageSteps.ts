import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { settle } from "./harness.js";

const PICTURES = "test/output/webview";

/** Waits until every question has been answered, then saves a picture for people to look at. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(400);
  await settle(page);
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

/** Presses keys one after the other and waits for what each of them changes. */
export async function pressKeys(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await settle(page);
  }
}

/** Pixels of the timeline whose channels lie within `tolerance` of a colour, with the first of them in reading order. */
export async function pixelsIn(
  page: Page,
  colour: string,
  tolerance = 0,
): Promise<{ count: number; x: number; y: number }> {
  return page.evaluate(
    ([hex, most]) => {
      const layers = [...document.querySelectorAll<HTMLCanvasElement>(".stage canvas")];
      const [top] = layers.slice(-1);
      const whole = document.createElement("canvas");
      const context = whole.getContext("2d");
      if (!top || !context) throw new Error("no canvas");
      whole.width = top.width;
      whole.height = top.height;
      for (const layer of layers) context.drawImage(layer, 0, 0);
      const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      const { data, width } = context.getImageData(0, 0, whole.width, whole.height);
      let count = 0;
      let first = -1;
      for (let at = 0; at < data.length; at += 4) {
        const off = [red, green, blue].map((value = 0, channel) => Math.abs(value - (data[at + channel] ?? 0)));
        if (Math.max(...off) > most) continue;
        if (first < 0) first = at / 4;
        count++;
      }
      const box = top.getBoundingClientRect();
      return { count, x: box.x + (first % width), y: box.y + Math.floor(first / width) };
    },
    [colour, tolerance] as const,
  );
}

/** Presses at one place of the main canvas and lets go at another; shares of its width, pixels from its top. */
export async function dragOver(page: Page, from: number, to: number, y: number): Promise<void> {
  const box = await page.locator("canvas.lanes").boundingBox();
  if (box === null) throw new Error("no canvas");
  await page.mouse.move(box.x + from * box.width, box.y + y);
  await page.mouse.down();
  await page.mouse.move(box.x + to * box.width, box.y + y + 2, { steps: 5 });
  await page.mouse.up();
  await settle(page);
}

/** Lanes from top to bottom, by the names that the list of lanes gives them. */
export async function laneNames(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const items = [...document.querySelectorAll<HTMLElement>(".lane-item")];
    const top = (item: HTMLElement) => item.getBoundingClientRect().top;
    return items.sort((a, b) => top(a) - top(b)).map((item) => item.getAttribute("aria-label") ?? "");
  });
}
