import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Harness, settle, startHarness } from "./harness.js";
import { dragOver, laneNames, pixelsIn, pressKeys } from "./pageSteps.js";
import { sampleRank } from "./sampleTrace.js";
import { THEMES } from "./themes.js";

const { "charts-red": RED } = THEMES.dark.variables;

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

describe("several ranks", () => {
  it("are tabs, and side by side on one clock", async () => {
    await harness.openTraces([sampleRank(0), { ...sampleRank(1, 1.2), alignNs: 2_000_000 }]);
    const tabs = page.getByRole("tablist", { name: "Runs" }).getByRole("tab");
    expect(await tabs.allTextContents()).toEqual(["rank 0 · rank0.pt.trace.json", "rank 1 · rank1.pt.trace.json"]);
    await press("b");
    expect((await laneNames(page)).filter((name) => name.startsWith("D2H"))).toHaveLength(2);
    await press(".", "j", "2", ".", "j");
    expect(await page.locator(".details h2").textContent()).toBe("Memcpy DtoH (Device -> Pinned)");
    await press("2", "x");
    expect(await page.locator(".compare-choice").textContent()).toContain("rank 0 · rank0.pt.trace.json");
    await page.locator(".compare-result tbody tr").first().waitFor();
  });

  it("are compared in the order of their files, whichever is in front", async () => {
    await harness.openTraces([sampleRank(0), sampleRank(1)]);
    const verdict = page.locator(".compare-result .verdict");
    const compared = / compared: A is rank0\S* \(rank 0\), B is rank1\S* \(rank 1\)\.$/;
    await press("x");
    await expect.poll(() => verdict.textContent(), { timeout: 10_000 }).toMatch(compared);
    expect(await page.locator(".compare-choice").textContent()).toContain("A rank 0 · rank0.pt.trace.json against B");
    await press("2");
    expect(await page.locator(".compare-choice").textContent()).toContain("against B rank 1 · rank1.pt.trace.json");
    expect(await verdict.textContent()).toMatch(compared);
  });

  it("that were added to compare with open on the comparison: the opened file is A, the added one B", async () => {
    await harness.openTraces([sampleRank(0), { ...sampleRank(1, 1.2), isAdded: true }]);
    const tab = (list: string) => page.getByRole("tablist", { name: list }).getByRole("tab", { selected: true });
    expect(await tab("Selection and events").textContent()).toBe("Compare");
    expect(await tab("Runs").textContent()).toBe("rank 1 · rank1.pt.trace.json");
    const verdict = page.locator(".compare-result .verdict");
    await verdict.waitFor();
    expect(await verdict.textContent()).toContain(
      "A is rank0.pt.trace.json (rank 0), B is rank1.pt.trace.json (rank 1)",
    );
    expect(await page.locator(".compare-result table").first().isVisible()).toBe(true);
  });

  it("are shown beside one that cannot be read and sorts first, which is named", async () => {
    const empty = { name: "broken.trace.json", bytes: Buffer.from("") };
    await harness.openTraces([empty, sampleRank(0), sampleRank(1)]);
    const tabs = page.getByRole("tablist", { name: "Runs" }).getByRole("tab");
    expect(await tabs.allTextContents()).toEqual(["rank 0 · rank0.pt.trace.json", "rank 1 · rank1.pt.trace.json"]);
    expect(await page.locator(".unread summary").textContent()).toBe(
      "⚠ 1 of 3 files cannot be shown: broken.trace.json",
    );
    expect(await page.locator(".unread li").allTextContents()).toEqual([
      "broken.trace.json This trace is empty. The file has no bytes. Record it again. TRACE_EMPTY",
    ]);
    await harness.openTraces([sampleRank(0)]);
    expect(await page.locator(".unread").count()).toBe(0);
  });

  it("keep the place in time when another one comes to the front", async () => {
    await harness.openTraces([sampleRank(0), { ...sampleRank(1), alignNs: 1_500_000 }]);
    await press("b", ".", "j", "f");
    const picture = () =>
      page.evaluate(() => document.querySelector<HTMLCanvasElement>("canvas.boxes")?.toDataURL() ?? "");
    await press("Escape");
    const before = await picture();
    await press("2");
    expect(await picture()).toBe(before);
  });
});

describe("copies of one direction on two streams", () => {
  const work = (cat: string, name: string, stream: number, ts: number, dur: number) => ({
    ph: "X",
    cat,
    name,
    pid: 0,
    tid: stream,
    ts,
    dur,
    args: { device: 0, stream, bytes: 1e6 },
  });
  const copy = (stream: number, ts: number) => work("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", stream, ts, 100);
  // Stream 21 copies most, all of it under the kernel; the copy of stream 7 comes after it.
  const events = [work("kernel", "gemm", 7, 1000, 900), copy(21, 1100), copy(21, 1300), copy(7, 1950)];
  const bytes = Buffer.from(JSON.stringify({ traceEvents: events }));

  it("are marked as exposed in the lane of their own stream", async () => {
    await harness.openTraces([{ name: "streams.json", bytes }]);
    expect(await laneNames(page)).toEqual(["Compute, stream 7", "D2H copies, stream 21", "D2H copies, stream 7"]);
    const red = await pixelsIn(page, RED);
    const box = await page.locator('.lane-item[aria-label="D2H copies, stream 7"]').boundingBox();
    expect(red.count).toBeGreaterThan(100);
    expect(red.y).toBeGreaterThan(box?.y ?? Number.POSITIVE_INFINITY);
    const tooltip = page.locator(".tooltip");
    await page.mouse.move(red.x + 3, red.y + 2);
    await tooltip.filter({ hasText: "exposed time" }).waitFor();
    expect(await tooltip.locator(".tooltip-title").textContent()).toBe("D2H copies on stream 7: exposed time");
    expect(await tooltip.locator(".tooltip-row").allTextContents()).toEqual(["exposed100\u00a0µs"]);
    await page.screenshot({ path: "test/output/webview/timeline-streams.png" });
  });
});

describe("two devices in one file", () => {
  const work = (device: number, cat: string, name: string, tid: number) => ({
    ph: "X",
    cat,
    name,
    pid: device,
    tid,
    ts: 1000,
    dur: 100,
    args: { device, stream: tid, bytes: 1e6 },
  });
  const copyOn = (device: number) => work(device, "gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 22);
  const bytes = Buffer.from(JSON.stringify({ traceEvents: [work(0, "kernel", "gemm", 7), copyOn(0), copyOn(1)] }));

  it("are measured each for itself: nothing hides under compute of the other", async () => {
    await harness.openTraces([{ name: "two.json", bytes }]);
    const exposed = page.locator('[data-figure="exposed"]');
    expect(await exposed.locator("dt").textContent()).toBe("Exposed copies · GPU 0");
    expect(await exposed.locator(".figure-value").textContent()).toBe("0\u00a0ns");
    await press("t");
    const d2h = page.locator(".metrics table").first().locator("tbody tr").first();
    expect(await d2h.locator("td").last().textContent()).toBe("0\u00a0ns");
    await page.locator(".metrics-choice vscode-dropdown").click();
    await page.getByRole("option", { name: "GPU 1" }).click();
    await settle(page);
    expect(await page.locator(".metrics h2").textContent()).toBe("Everything, GPU 1");
    expect(await d2h.locator("td").last().textContent()).toBe("100\u00a0µs");
    await dragOver(page, 0.3, 0.6, 80);
    await settle(page);
    expect(await page.locator(".metrics h2").textContent()).toMatch(/^Selected time.*, GPU 1$/);
    expect(await page.locator('.metrics [data-metric="of idle: host late"]').count()).toBe(0);
  });
});
