import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sampleContainer } from "../../unit/profile/sampleProfile.js";
import { type Harness, settle, startHarness } from "./harness.js";
import { dragOver, laneNames, pixelsIn, pressKeys } from "./pageSteps.js";
import { THEMES } from "./themes.js";

const sample = sampleContainer(8);
const { "charts-orange": ORANGE, "charts-purple": PURPLE, "editor-foreground": FOREGROUND } = THEMES.dark.variables;

let harness: Harness;
let page: Page;

beforeAll(async () => {
  harness = await startHarness();
  page = harness.page;
});
afterAll(() => harness.close());
beforeEach(() => {
  harness.errors.length = 0;
});
afterEach(async () => {
  expect(harness.errors).toEqual([]);
  expect(await page.evaluate(() => window.harness.violations)).toEqual([]);
});

const press = (...keys: string[]) => pressKeys(page, ...keys);
const detailsTitle = () => page.locator(".details h2").textContent();
const status = () => page.locator(".for-readers[role=status]").textContent();
const count = () => page.locator(".filters .muted").textContent();
const told = () => page.evaluate(() => window.harness.told);

async function reopen(): Promise<void> {
  await page.evaluate((content) => window.harness.open(content), Buffer.from(sample).toString("base64"));
  await settle(page);
}

describe("a selected stretch of time", () => {
  it("is dragged, summed up, listed, and given up again", async () => {
    await harness.open(sample);
    await dragOver(page, 0.3, 0.6, 60);
    expect(await status()).toMatch(/^Selected .* from /);
    await press("t");
    expect(await page.locator(".metrics h2").textContent()).toMatch(/^Selected time: /);
    const kernels = await page.locator('[data-metric="Kernels"] dd').textContent();
    await press("e");
    await page.locator(".filters vscode-dropdown").first().click();
    await page.locator("vscode-option", { hasText: "Compute" }).first().click();
    await settle(page);
    // What the table lists in the time is what the sums count: kernels and the waits of the compute stream.
    expect(Number.parseInt((await count()) ?? "", 10)).toBeGreaterThanOrEqual(Number(kernels));
    expect(Number(kernels)).toBeGreaterThan(10);
    const inTime = await count();
    await page.locator(".checkbox input").uncheck();
    await settle(page);
    expect(await count()).not.toBe(inTime);
    await page.locator("canvas.lanes").focus();
    await press("Escape", "t");
    expect(await page.locator(".metrics h2").textContent()).toBe("Everything");
  });

  it("is that of the selected event with R, and F shows it from edge to edge", async () => {
    await harness.open(sample);
    await press(".", "j", "r");
    expect(await status()).toBe("Selected 1.45\u00a0ms from 196\u00a0µs.");
    await press("Escape", ".", "j", "r");
    await page.evaluate(() => window.harness.send({ type: "command", command: "nextEvent" }));
    await settle(page);
    await press("t");
    expect(await page.locator('[data-metric="Span"] dd').textContent()).toBe("1.45\u00a0ms");
    const d2h = page.locator(".metrics tbody tr", { hasText: "D2H copies" }).locator("td");
    expect((await d2h.allTextContents()).slice(0, 2)).toEqual(["1", "8.00\u00a0MiB"]);
  });
});

describe("a reload of the page", () => {
  it("keeps the selected event and the selected time, unless the file has no such event", async () => {
    await harness.open(sample);
    await press(".", "j", ".", "r");
    const title = await detailsTitle();
    const { area, selected } = await page.evaluate(() => window.harness.state as { area: unknown; selected: unknown });
    expect(title).toMatch(/^offload /);
    await reopen();
    await expect.poll(detailsTitle, { timeout: 10_000 }).toBe(title);
    const kept = () => page.evaluate(() => window.harness.state as { area: unknown; selected?: unknown });
    expect(await kept()).toMatchObject({ area, selected });
    const shorter = Buffer.from(sampleContainer(2)).toString("base64");
    await page.evaluate((content) => window.harness.open(content), shorter);
    await expect.poll(async () => (await kept()).selected === undefined, { timeout: 10_000 }).toBe(true);
  });
});

describe("marks", () => {
  it("are set, visited and removed", async () => {
    await harness.open(sample);
    await press(".", "j", "m");
    expect(await status()).toBe("Mark 1 of 1 set.");
    await press(".", ".");
    expect(await status()).toContain("offload model.layers.2 input");
    await press("m", "Shift+F");
    await press("f", "[");
    expect(await status()).toBe("Mark 2 of 2.");
    await press("[");
    expect(await status()).toBe("Mark 1 of 2.");
    // The first mark lies so near to the beginning that it cannot be in the middle; the second must still be next.
    await press("]");
    expect(await status()).toBe("Mark 2 of 2.");
    await press("]");
    expect(await status()).toBe("No mark on that side.");
    await press("Shift+M");
    expect(await page.evaluate(() => (window.harness.state as { marks: number[] }).marks)).toEqual([]);
  });
});

describe("lanes", () => {
  it("can be pinned, folded and moved, and stay so after a reload", async () => {
    await harness.open(sample);
    expect(await laneNames(page)).toEqual([
      "Compute, compute",
      "D2H copies, offload",
      "H2D copies, onload",
      "Host, host",
    ]);
    await press(".", "j", "Shift+J");
    const moved = ["Compute, compute", "H2D copies, onload", "D2H copies, offload", "Host, host"];
    expect(await laneNames(page)).toEqual(moved);
    await press("z", "j", "p");
    const arranged = ["Host, host, pinned", "Compute, compute", "H2D copies, onload", "D2H copies, offload, folded"];
    expect(await laneNames(page)).toEqual(arranged);
    await reopen();
    expect(await laneNames(page)).toEqual(arranged);
    // The same with the buttons of the lane.
    const host = page.locator(".lane-item", { hasText: "⌃" }).first();
    await host.hover();
    await host.getByRole("button", { name: "Pin" }).click();
    await settle(page);
    expect((await laneNames(page))[0]).toBe("Compute, compute");
  });

  it("follow the pointer when they are dragged", async () => {
    await harness.open(sample);
    const box = await page.locator('.lane-item[aria-label^="Compute"]').boundingBox();
    if (box === null) throw new Error("no lane");
    await page.mouse.move(box.x + 20, box.y + 12);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 52, { steps: 8 });
    await page.mouse.up();
    await settle(page);
    expect((await laneNames(page)).slice(0, 2)).toEqual(["D2H copies, offload", "Compute, compute"]);
  });
});

describe("search and table", () => {
  it("finds with the slash, walks through matches, and leaves the field with Escape", async () => {
    await harness.open(sample);
    await press("/");
    await page.keyboard.type("onload");
    await settle(page);
    await press("Enter");
    expect(await status()).toBe("Match 1 of 9: onload model.layers.6 input.");
    await press("Escape", "n", "n");
    expect(await status()).toBe("Match 3 of 9: onload model.layers.5 input.");
    await press("Shift+N", "Shift+N");
    expect(await status()).toBe("Match 1 of 9: onload model.layers.6 input.");
  });

  it("marks every match on the canvas, and nothing else", async () => {
    await harness.open(sample);
    const ink = async () => (await pixelsIn(page, FOREGROUND)).count;
    const before = await ink();
    await press("/");
    await page.keyboard.type("onload");
    await expect.poll(ink, { timeout: 10_000 }).toBeGreaterThan(before + 300);
    await page.keyboard.type(" no such name");
    await expect.poll(ink, { timeout: 10_000 }).toBe(before);
  });

  it("filters by duration and bytes, and says what it cannot read", async () => {
    await harness.open(sample);
    await press("e");
    const fields = page.locator(".filters .text-field");
    await fields.nth(2).fill("1 MiB");
    await settle(page);
    expect(await count()).toBe("21 events");
    await fields.nth(1).fill("1.4 ms");
    await settle(page);
    expect(await count()).toBe("7 events");
    await fields.nth(1).fill("long");
    await settle(page);
    expect(await fields.nth(1).getAttribute("aria-invalid")).toBe("true");
    expect(await fields.nth(1).getAttribute("title")).toContain("1.5 ms");
    // An unreadable bound is not another bound.
    expect(await count()).toBe("7 events");
  });

  it("sorts by a column, says so to readers, and keeps the selection in sight", async () => {
    await harness.open(sample);
    await press("e");
    await page.getByRole("button", { name: "Duration" }).click();
    await settle(page);
    expect(await page.locator('[role="columnheader"]').nth(1).getAttribute("aria-sort")).toBe("descending");
    const durations = await page.locator(".virtual-rows .grid-row > span:nth-child(2)").allTextContents();
    const ms = durations.map((text) => Number.parseFloat(text) / (text.endsWith("µs") ? 1000 : 1));
    expect(ms.slice(0, 12)).toEqual([...ms.slice(0, 12)].sort((a, b) => b - a));
    await page.locator(".grid").focus();
    await press("ArrowDown", "ArrowDown");
    expect(await page.locator('.virtual-rows [aria-selected="true"]').getAttribute("aria-rowindex")).toBe("3");
  });
});

describe("runs side by side", () => {
  it("are all drawn on one clock, and a click brings a run to the front", async () => {
    await harness.open(sample);
    const alone = (await pixelsIn(page, ORANGE)).count;
    await press("b");
    expect(await status()).toBe("All runs side by side.");
    expect((await laneNames(page)).filter((name) => name.startsWith("D2H")).length).toBeGreaterThan(1);
    await page.locator(".scroller").evaluate((scroller) => scroller.scrollTo(0, 1e6));
    await settle(page);
    expect((await pixelsIn(page, ORANGE)).count).toBeGreaterThan(alone / 2);
    const { x, y } = await pixelsIn(page, PURPLE);
    await page.mouse.click(x + 3, y + 4);
    await page.locator(".details h2").waitFor();
    expect(await detailsTitle()).toMatch(/^onload /);
    expect(await page.getByRole("tab", { selected: true }).first().textContent()).toBe(
      "veomni_async · checkpointing off",
    );
  });

  it("are compared as numbers, the run without offload first", async () => {
    await harness.open(sample);
    await press("x");
    expect(await page.locator(".compare-choice").textContent()).toContain("veomni_async · checkpointing on");
    const span = page.locator(".compare-result tbody tr").first();
    expect(await span.locator("th").textContent()).toMatch(/step|span/i);
    expect(await span.textContent()).toContain("ms");
  });
});

describe("files and clipboard", () => {
  it("asks the extension to write what is shown", async () => {
    await harness.open(sample);
    await page.getByRole("button", { name: "Save and copy" }).press("Enter");
    await page.getByRole("menuitem", { name: "Save events as CSV…" }).click();
    for (const command of ["exportChrome", "addFile", "savePicture"] as const)
      await page.evaluate((name) => window.harness.send({ type: "command", command: name }), command);
    await expect.poll(async () => (await told()).length, { timeout: 20_000 }).toBe(4);
    expect((await told()).slice(0, 3)).toEqual([
      {
        type: "export",
        request: { format: "csv", run: 1, filter: { role: null, text: "" }, sort: { by: "start", descending: false } },
      },
      { type: "export", request: { format: "chrome", run: 1 } },
      { type: "addFile" },
    ]);
    const signature = await page.evaluate(() => {
      const last = window.harness.told.at(-1);
      return last?.type === "savePicture" ? [...new Uint8Array(last.png.slice(0, 4))] : [];
    });
    expect(signature).toEqual([0x89, 0x50, 0x4e, 0x47]);
  });

  it("copies the selection with the editor's own key", async () => {
    await harness.open(sample);
    await press(".", "j");
    const copied = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          document.addEventListener("copy", (event) => resolve(event.clipboardData?.getData("text/plain") ?? ""));
        }),
    );
    await page.keyboard.press("Control+C");
    const lines = (await copied).split("\n");
    expect(lines).toContain("name\toffload model.layers.0 input");
    expect(lines).toContain("duration_ns\t1450000");
    expect(lines).toContain("bytes\t8388608");
  });

  it("says where a file went, or why not", async () => {
    await harness.open(sample);
    const send = (outcome: object) =>
      page.evaluate((given) => window.harness.send({ type: "exported", outcome: given as never }), outcome);
    await send({ ok: true, value: { path: "events.csv" } });
    await page.locator(".toast", { hasText: "Saved events.csv." }).waitFor();
    await send({ ok: false, problem: { code: "SAVE_FAILED", message: "No room.", nextStep: "Free some." } });
    await page.locator(".toast", { hasText: "No room. Free some." }).waitFor();
  });
});
