import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Finding } from "../../../src/core/timeline/query/finding.js";
import { type Harness, settle, startHarness } from "./harness.js";
import { dragOver, laneNames, pixelsIn, pressKeys } from "./pageSteps.js";
import { sampleRank, sampleTrace } from "./sampleTrace.js";
import { THEMES } from "./themes.js";

const { "charts-red": RED, "charts-blue": BLUE } = THEMES.dark.variables;

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
const status = () => page.locator(".for-readers[role=status]").textContent();

describe("a trace in the page", () => {
  it("has figures of its own and no table of strategies", async () => {
    await harness.openTraces([sampleRank(0)]);
    expect(await page.locator(".source .badge").textContent()).toBe("trace");
    expect(await page.locator(".figure dt").allTextContents()).toEqual([
      "Span",
      "Compute busy",
      "Idle",
      "Exposed copies",
      "Exposed collectives",
    ]);
    expect(await page.locator(".summary").count()).toBe(0);
    expect(await page.locator('[data-figure="collective"] .figure-difference').textContent()).toBe("no collectives");
    expect(await page.locator(".source-device").textContent()).toBe("Example GPU");
  });

  it("says of copies without a size that it was not recorded, and of a file that another trace follows", async () => {
    const copy = { ph: "X", cat: "gpu_memcpy", name: "Memcpy DtoH (Device -> Pinned)", pid: 0, tid: 7, ts: 1, dur: 50 };
    const text = JSON.stringify({ traceEvents: [{ ...copy, args: { device: 0, stream: 7 } }] });
    await harness.openTraces([{ name: "rocm.json", bytes: Buffer.from(`${text}\n${text}`) }]);
    expect(await page.locator(".remarks li").textContent()).toMatch(
      /^rocm\.json More text follows after the end of the trace/,
    );
    await press(".", "j");
    const bytes = page.locator(".details .facts > div", { hasText: "Bytes" }).locator("dd");
    expect(await bytes.textContent()).toBe("not recorded");
    await harness.openTraces([sampleRank(0)]);
    expect(await page.locator(".remarks").count()).toBe(0);
  });

  it("gives each stream a lane under its role, threads folded", async () => {
    await harness.openTraces([sampleRank(0)]);
    const names = await laneNames(page);
    expect(names.slice(0, 3)).toEqual(["Compute, stream 7", "D2H copies, stream 22", "H2D copies, stream 22"]);
    const threads = names.filter((name) => name.startsWith("Host"));
    expect(threads.length).toBeGreaterThan(0);
    for (const thread of threads) expect(thread).toMatch(/, folded$/);
  });

  it("leads from a kernel to the call that started it", async () => {
    await harness.openTraces([sampleRank(0)]);
    await press(".", "j");
    expect(await page.locator(".details h2").textContent()).toBe("Memcpy DtoH (Device -> Pinned)");
    const links = page.locator(".flow", { hasText: "cudaMemcpyAsync" });
    expect(await links.textContent()).toBe("started by cudaMemcpyAsync");
    await links.getByRole("button").click();
    await settle(page);
    expect(await page.locator(".details h2").textContent()).toBe("cudaMemcpyAsync");
  });

  it("reports what the import did", async () => {
    const text = sampleTrace(0).replace('"ph":"f"', '"ph":"?"');
    await harness.openTraces([{ name: "odd.json", bytes: Buffer.from(text.slice(0, -40)) }]);
    await press("u");
    const fact = (name: string) => page.locator(`[data-report="${name}"] dd`).textContent();
    expect(Number((await fact("Elements"))?.replace(",", ""))).toBeGreaterThan(200);
    expect(Number(await fact("Dropped"))).toBeGreaterThan(0);
    expect(await page.locator(".report tbody tr").first().textContent()).toContain("dropped");
    expect(await page.locator(".report .warning").textContent()).toContain("ends early");
  });

  it("measures a step or a phase that is chosen from a list, which follows what is selected", async () => {
    await harness.openTraces([sampleRank(0)]);
    await press("t");
    const list = page.locator(".metrics-choice vscode-dropdown");
    const title = page.locator(".metrics h2");
    await list.click();
    expect((await page.getByRole("option").allTextContents())[0]).toBe("Everything");
    await page.getByRole("option", { name: "step 4", exact: true }).click();
    await settle(page);
    expect(await title.textContent()).toBe("step 4");
    expect(await page.locator('.metrics [data-metric="Idle"]').count()).toBe(1);
    const value = () => list.evaluate((element) => (element as HTMLElement & { value: string }).value);
    await dragOver(page, 0.3, 0.6, 80);
    await settle(page);
    expect([await value(), (await title.textContent())?.slice(0, 13)]).toEqual(["selected", "Selected time"]);
    await press("Escape");
    expect([await value(), await title.textContent()]).toEqual(["everything", "Everything"]);
  });

  it("splits the sums of a selected time by role", async () => {
    await harness.openTraces([sampleRank(0)]);
    await dragOver(page, 0.2, 0.5, 80);
    await press("t");
    const rows = page.locator(".metrics table").first().locator("tbody th");
    expect(await rows.allTextContents()).toEqual(["D2H copies", "H2D copies", "Copies, both ways", "Collectives"]);
    expect(await page.locator(".metrics h2").textContent()).toMatch(/^Selected time/);
  });
});

describe("more lanes than fit", () => {
  const streams = 70;
  const kernel = (stream: number) => ({
    ph: "X",
    cat: "kernel",
    name: `kernel of ${stream}`,
    pid: 0,
    tid: stream,
    ts: 1000 + stream,
    dur: 5000,
    args: { device: 0, stream, correlation: stream },
  });
  const bytes = Buffer.from(
    JSON.stringify({ traceEvents: Array.from({ length: streams }, (_, at) => kernel(at + 1)) }),
  );

  it("are drawn where one scrolls to, with the ruler still above", async () => {
    await harness.openTraces([{ name: "many.json", bytes }], "dark", { width: 1200, height: 700 });
    const ink = async () => (await pixelsIn(page, BLUE)).count;
    const above = await ink();
    expect(above).toBeGreaterThan(10_000);
    await page.locator(".scroller").evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));
    await settle(page);
    expect(await ink()).toBeGreaterThan(above / 2);
    const names = await laneNames(page);
    expect(names.some((name) => name.includes(`stream ${streams}`))).toBe(true);
    expect(names.length).toBeLessThan(streams);
    const first = await pixelsIn(page, BLUE);
    const stage = await page.locator(".stage").boundingBox();
    expect(first.y - (stage?.y ?? 0)).toBeGreaterThanOrEqual(20);
  });

  it("scroll into sight when an event of theirs is chosen", async () => {
    await harness.openTraces([{ name: "many.json", bytes }], "dark", { width: 1200, height: 700 });
    await press("/");
    await page.keyboard.type(`kernel of ${streams}`);
    await settle(page);
    await press("Enter");
    expect(await status()).toBe(`Match 1 of 1: kernel of ${streams}.`);
    expect((await laneNames(page)).some((name) => name.includes(`stream ${streams}`))).toBe(true);
  });
});

describe("a trace of a program without a device", () => {
  it("shows its threads and no empty lanes", async () => {
    const events = [
      { ph: "X", name: "main", pid: 1, tid: 1, ts: 0, dur: 100 },
      { ph: "X", name: "inner", pid: 1, tid: 1, ts: 10, dur: 50 },
    ];
    await harness.openTraces([{ name: "generic.json", bytes: Buffer.from(JSON.stringify(events)) }]);
    const names = await laneNames(page);
    expect(names).toHaveLength(1);
    expect(names[0]).toMatch(/^Host/);
    await press(".", "k");
    expect(await page.locator(".details h2").textContent()).toBe("main");
  });
});

describe("hostile names", () => {
  it("of a megabyte, with markup, stay text and are cut", async () => {
    const long = `model.layers.3.${"a.b".repeat(350_000)}<img src=x onerror=alert(1)>`;
    const text = sampleTrace(0).replaceAll("gemm_1", long).replaceAll("aten::mm_0", "<script>alert(1)</script>");
    await harness.openTraces([{ name: "<b>rank0</b>.json", bytes: Buffer.from(text) }]);
    await press(".", ".");
    expect(await page.locator(".details h2").textContent()).toHaveLength(2_001);
    await press("f", "e", "g", "t", "i");
    expect(await page.locator("img, .page script, b:not(.tooltip b)").count()).toBe(0);
    expect(await page.getByRole("tab", { selected: true }).first().textContent()).toContain("<b>rank0</b>.json");
  });
});

const FINDINGS: readonly Finding[] = [
  {
    code: "RELOAD_BEFORE_OFFLOAD_ENDED",
    severity: "error",
    message: "A reload began before its own offload had ended.",
    explanation: "The values that it read may be wrong.",
    events: [
      { event: 3, name: "reload", stream: "22", startNs: 10, durationNs: 20 },
      { event: 9, name: "offload", stream: "22", startNs: 5, durationNs: 20 },
    ],
    eventCount: 12,
    arrow: { from: 9, to: 3 },
    costNs: null,
    configKeys: ["activation_offload_modules"],
    device: 0,
  },
  {
    code: "PAGEABLE_COPY",
    severity: "warning",
    message: "3 copies used pageable memory.",
    explanation: "They cannot overlap.",
    events: [],
    eventCount: 0,
    arrow: null,
    costNs: 1_500_000,
    configKeys: [],
    device: 0,
  },
];

async function planFindings(): Promise<void> {
  await page.evaluate((findings) => {
    const link = (event: number, row: number, startNs: number) => ({
      event,
      row,
      name: `event ${event}`,
      stream: "22",
      startNs,
      endNs: startNs + 900_000,
    });
    const links = [[link(3, 2, 6_000_000), link(9, 1, 5_500_000)], []];
    window.harness.answerWith("findings", { findings, links });
  }, FINDINGS);
}

describe("findings", () => {
  it("open beside the timeline, wrong orders first, with a red arrow between both events", async () => {
    await harness.openTraces([sampleRank(0)]);
    const clean = (await pixelsIn(page, RED)).count;
    await planFindings();
    await page.evaluate(
      (content) => window.harness.openTraces([{ name: "rank0.json", base64: content }]),
      sampleRank(0).bytes.toString("base64"),
    );
    await page.locator(".finding").first().waitFor();
    await settle(page);
    expect(await page.locator(".severity").allTextContents()).toEqual(["✖ Error", "⚠ Warning"]);
    expect((await pixelsIn(page, RED)).count).toBeGreaterThan(clean + 100);
    expect(await page.locator(".finding-cost").textContent()).toBe("1.50\u00a0ms");
  });

  it("are walked through by key and lead to events and settings", async () => {
    await press("v");
    expect(await status()).toBe(`error: ${FINDINGS[0]?.message}`);
    expect(await page.locator(".finding.is-open .finding-events li").allTextContents()).toEqual([
      "10\u00a0ns · reload",
      "5\u00a0ns · offload",
      "and 10 more",
    ]);
    await page.locator(".finding-setting .link").click();
    expect(await page.evaluate(() => window.harness.told.at(-1))).toEqual({
      type: "showSetting",
      key: "activation_offload_modules",
    });
    await press("v");
    expect(await page.locator(".finding.is-open").getAttribute("data-code")).toBe("PAGEABLE_COPY");
    await press("Shift+V");
    expect(await page.locator(".finding.is-open").getAttribute("data-code")).toBe("RELOAD_BEFORE_OFFLOAD_ENDED");
    await press("g");
    expect(await page.locator(".side").isVisible()).toBe(false);
  });
});

describe("a race", () => {
  const severities = async (race: boolean) => {
    const bytes = Buffer.from(sampleTrace(0, 1, race));
    await harness.openTraces([{ name: "rank0.json", bytes }]);
    await page.locator(".side h2", { hasText: /\(\d+\)/ }).waitFor({ state: "attached" });
    return page.locator(".severity").allTextContents();
  };

  it("is found where a reload begins before its offload has ended, and only there", async () => {
    expect(await severities(false)).not.toContain("✖ Error");
    const clean = (await pixelsIn(page, RED)).count;
    expect((await severities(true))[0]).toBe("✖ Error");
    await press("v");
    expect(await page.locator(".finding.is-open .finding-events li").first().textContent()).toContain("Memcpy");
    expect((await pixelsIn(page, RED)).count).toBeGreaterThan(clean);
    await page.screenshot({ path: "test/output/webview/timeline-race.png" });
  });
});

describe("while a file is read", () => {
  it("shows bytes, share and events, and can be cancelled", async () => {
    await harness.openTraces([sampleRank(0)]);
    const loading = (readBytes: number, phase: "reading" | "sorting") =>
      page.evaluate(
        ([bytes, name]) =>
          window.harness.send({
            type: "loading",
            fileName: "big.pt.trace.json",
            sizeBytes: 2_469_606_195,
            progress: {
              readBytes: bytes as number,
              ofBytes: 2_469_606_195,
              events: 1_234_567,
              phase: name as "reading",
            },
          }),
        [readBytes, phase] as const,
      );
    await loading(617_401_548, "reading");
    const notice = page.locator(".notice");
    await notice.waitFor();
    expect(await notice.locator("h1").textContent()).toBe("Reading big.pt.trace.json (2.30\u00a0GiB) …");
    expect(await notice.locator(".muted").textContent()).toBe(
      "589\u00a0MiB of 2.30\u00a0GiB (25\u00a0%), 1,234,567 events",
    );
    await page.screenshot({ path: "test/output/webview/loading.png" });
    await loading(2_469_606_195, "sorting");
    await notice.locator("h1", { hasText: "Sorting" }).waitFor();
    await page.getByText("Cancel").click();
    expect(await page.evaluate(() => window.harness.told.at(-1))).toEqual({ type: "cancel" });
  });
});
