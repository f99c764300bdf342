import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isWritable } from "../../../src/core/config/write/choiceEdits.js";
import { bestPoint, paretoFront } from "../../../src/core/sweep/choose.js";
import { explainChoice } from "../../../src/core/sweep/explain.js";
import type { SweepPoint } from "../../../src/core/sweep/points.js";
import type { SweepResult } from "../../../src/core/sweep/runSweep.js";
import { sampleResult } from "../../unit/profile/sampleResult.js";
import { point } from "../../unit/sweep/points.js";
import { type ServedPage, servePage } from "./servedPage.js";
import { THEMES, type ThemeName } from "./themes.js";

const PICTURES = "test/output/webview";
const GIB = 1024 ** 3;
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

/** Figures like those of an 8B model at 8,192 tokens, with one sequence a step and two. */
function points(budgetBytes: number): readonly SweepPoint[] {
  const steps: readonly (readonly [Partial<SweepPoint>, stepMs: number, peakGib: number])[] = [
    [{ gradientCheckpointing: false }, 883, 74.9],
    [{}, 1121, 30.1],
    [{ strategy: "veomni_async", patternSet: "all", patterns: ["model.layers.{*}"], cacheLimitGb: 4 }, 1122, 30.1],
    [{ strategy: "verl_sync" }, 1190, 30.1],
    [{ strategy: "verl_double_buffer", gradientCheckpointing: false }, 2380, 31.4],
    [{ strategy: "save_on_cpu", gradientCheckpointing: false }, 4761, 29.4],
  ];
  return [1, 2].flatMap((microBatch) =>
    steps.map(([given, stepMs, peakGib]) => {
      const peakBytes = (peakGib + (microBatch - 1) * (given.gradientCheckpointing === false ? 8 : 2.1)) * GIB;
      const moved = given.strategy === undefined ? {} : { pinnedBytes: 2.2 * GIB * microBatch, hiddenShare: 0.9 };
      const stepOfBatch = microBatch === 1 ? stepMs : 1.88 * stepMs;
      return point({ ...given, ...moved, microBatch, stepMs: stepOfBatch, peakBytes, fits: peakBytes <= budgetBytes });
    }),
  );
}

function sweep(budgetBytes: number): SweepResult {
  const simulated = points(budgetBytes);
  const best = bestPoint(simulated);
  const { model } = sampleResult([]);
  return {
    schema: "offload-sweep/1",
    device: { name: "H200", source: "recorded" },
    model: { ...model, layers: 36 },
    seqLens: [8192],
    budgetBytes,
    points: simulated,
    front: paretoFront(simulated),
    best: best ?? null,
    explanation: explainChoice(simulated, best, budgetBytes),
    leftOut: [
      {
        strategy: "veomni_async",
        patternSet: "second",
        code: "SELECTION_EMPTY",
        message: "veomni_async on every second layer selects nothing: the model has too few layers.",
      },
    ],
    warnings: [],
  };
}

let served: ServedPage;
let page: Page;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  served = await servePage("src/webview/sweep/main.ts", "sweepHost", "What If");
  page = served.page;
});
afterAll(() => served?.close());
beforeEach(() => {
  served.errors.length = 0;
});
afterEach(async () => {
  expect(served.errors).toEqual([]);
  expect(await page.evaluate(() => window.sweepHarness.violations)).toEqual([]);
});

async function open(budgetGib: number, theme: ThemeName = "dark"): Promise<SweepResult> {
  const result = sweep(budgetGib * GIB);
  await page.setViewportSize({ width: 1100, height: 900 });
  await page.goto(served.origin);
  await page.evaluate(
    ([name, shown, writable]) => {
      window.sweepHarness.setTheme(name);
      window.sweepHarness.send({
        type: "result",
        title: "veomni.yaml",
        sweep: shown,
        writable,
        step: "2,048 tokens × 1 sequence",
        unsure: null,
      });
    },
    [theme, result, result.points.map(isWritable)] as const,
  );
  await page.locator(".mark.best").waitFor();
  return result;
}

const asked = () => page.evaluate(() => window.sweepHarness.asked);
const cells = (index: number) => page.locator(`#point-${index} td`).allTextContents();

describe("a sweep", () => {
  it("marks the choice in plot and table, on the front, with its words and what is left out", async () => {
    const { best, front, explanation } = await open(40);
    expect(front).toContain(best);
    expect(await page.locator(".plot > svg > .mark").last().getAttribute("class")).toContain("best");
    expect(await page.locator(".points tr.outside").count()).toBe(2);
    expect(await cells(best ?? -1)).toEqual([
      "choice",
      "on",
      "none",
      "",
      "",
      "2",
      "2107 ms",
      "1939 ms – 2276 ms",
      "1054 ms",
      "32.2 GiB",
      "20.0 GiB",
      "",
      "",
    ]);
    expect(await page.locator(".status").textContent()).toBe(
      `${explanation} Left out: veomni_async on every second layer selects nothing: the model has too few layers.`,
    );
    expect(explanation).toContain("per sequence");
  });

  it("draws the front through every point of it, from the lowest peak to the highest", async () => {
    const { front } = await open(40);
    const corners = ((await page.locator(".plot .front").getAttribute("points")) ?? "").split(" ");
    expect(corners).toHaveLength(front.length);
    const lefts = corners.map((corner) => Number(corner.split(",")[0]));
    expect(lefts).toEqual([...lefts].sort((left, right) => left - right));
  });

  it("lists what fits, then what is too large, each by the time that it shows for one sequence", async () => {
    await open(40);
    const timesOf = async (rows: string) => {
      const column = await page.locator(`.points tbody ${rows} td:nth-child(9)`).allTextContents();
      return column.map((text) => Number.parseFloat(text));
    };
    const fitting = await timesOf("tr:not(.outside)");
    const tooLarge = await timesOf("tr.outside");
    expect([fitting.length, tooLarge.length]).toEqual([10, 2]);
    expect(await timesOf("tr")).toEqual([...fitting, ...tooLarge]);
    for (const times of [fitting, tooLarge]) expect(times).toEqual([...times].sort((left, right) => left - right));
  });

  it("scrolls by the wheel to the end of the table where the panel is low", async () => {
    await open(40);
    await page.setViewportSize({ width: 700, height: 420 });
    await page.mouse.move(350, 20);
    await page.mouse.wheel(0, 5000);
    const bottom = async () => {
      const box = await page.locator(".points").boundingBox();
      return (box?.y ?? Number.POSITIVE_INFINITY) + (box?.height ?? 0);
    };
    await expect.poll(bottom).toBeLessThanOrEqual(420);
  });

  it("says what was written and what to set elsewhere beside the explanation, until it simulates again", async () => {
    const { explanation } = await open(40);
    const notes = ["The choice has a micro-batch of 2; set that where your trainer takes it."];
    await page.evaluate((given) => window.sweepHarness.send({ type: "applied", point: 7, notes: given }), notes);
    expect(await page.locator(".written").textContent()).toBe(
      `Written: checkpointing on, no offload, micro-batch 2. Undo takes it back. ${notes[0]}`,
    );
    expect(await page.locator(".status").textContent()).toContain(explanation);
    await page.evaluate(() => window.sweepHarness.send({ type: "running", title: "veomni.yaml", done: 0, total: 1 }));
    expect(await page.locator(".written").textContent()).toBe("");
  });

  it("writes what is selected, and not what a configuration cannot say", async () => {
    const { best } = await open(40);
    await page.locator(".points").focus();
    await page.keyboard.press("Enter");
    expect(await asked()).toEqual([{ type: "ready" }, { type: "apply", point: best }]);
    await page.locator("#point-3").click();
    await page.keyboard.press("Enter");
    expect(await asked()).toHaveLength(2);
  });
});

interface Axe {
  run(): Promise<{
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { html: string }[] }[];
  }>;
}

describe.each(Object.keys(THEMES) as ThemeName[])("in %s", (theme) => {
  it("has a picture that axe-core has nothing to say about", async () => {
    const browser = await page.context().newCDPSession(page);
    await browser.send("Page.setBypassCSP", { enabled: true });
    await open(40, theme);
    await page.screenshot({ path: `${PICTURES}/sweep-${theme}.png` });
    await page.evaluate(axeSource);
    const found = await page.evaluate(() => (window as unknown as { readonly axe: Axe }).axe.run());
    expect(
      found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)),
    ).toEqual([]);
  });
});
