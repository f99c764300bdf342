import { mkdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TIMELINE_COMMANDS } from "../../../src/core/timeline/query/protocol.js";
import type { VisibleRange } from "../../../src/core/timeline/query/visibleRange.js";
import { writeContainer } from "../../unit/profile/containerWriter.js";
import { sampleContainer, sampleProfile } from "../../unit/profile/sampleProfile.js";
import { type Harness, settle, startHarness } from "./harness.js";
import { pixelsIn, pressKeys } from "./pageSteps.js";
import { THEMES, type ThemeName } from "./themes.js";

const PICTURES = "test/output/webview";
const sample = sampleContainer(8);

let harness: Harness;
let page: Page;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  harness = await startHarness();
  page = harness.page;
});
afterAll(() => harness.close());
beforeEach(() => {
  harness.errors.length = 0;
});
afterEach(async () => {
  // Whatever a test did: no script error, and nothing that the page's policy had to stop.
  expect(harness.errors).toEqual([]);
  expect(await page.evaluate(() => window.harness.violations)).toEqual([]);
});

const press = (...keys: string[]) => pressKeys(page, ...keys);
const pixelsOf = (colour: string) => pixelsIn(page, colour);

const { "charts-orange": ORANGE, "charts-purple": PURPLE, "charts-red": RED } = THEMES.dark.variables;
const detailsTitle = () => page.locator(".details h2").textContent();
const fact = (label: string) => page.locator(".facts > div", { hasText: label }).locator("dd").first().textContent();

describe("a profile in the page", () => {
  it("shows what was run, on what, and five figures against the baseline", async () => {
    await harness.open(sample);
    expect(await page.getByRole("tab", { selected: true }).first().textContent()).toBe(
      "veomni_async · checkpointing on",
    );
    expect(await page.locator(".source .badge").textContent()).toBe("measured");
    expect(await page.locator(".figure dt").allTextContents()).toEqual([
      "Step",
      "After forward",
      "Peak",
      "Pinned",
      "Exposed copies",
    ]);
    const afterForward = page.locator('[data-figure="afterForward"]');
    expect(await afterForward.locator(".figure-value").textContent()).toBe("8.00\u00a0MiB");
    expect(await afterForward.locator(".figure-difference").textContent()).toBe("▼ −56.0\u00a0MiB (−88\u00a0%)");
    expect(await afterForward.getAttribute("title")).toContain("parameters and buffers");
    expect(await page.locator(".summary-table tbody tr").count()).toBe(4);
    expect(await page.locator(".summary-table tbody tr.is-shown").textContent()).toContain("7 / 28 / 0 / 0");
  });

  it("draws copies and exposed time for the run that has them, and not for the one that has none", async () => {
    await harness.open(sample);
    expect((await pixelsOf(ORANGE)).count).toBeGreaterThan(200);
    expect((await pixelsOf(PURPLE)).count).toBeGreaterThan(200);
    expect((await pixelsOf(RED)).count).toBeGreaterThan(20);
    await press("1");
    expect(await page.getByRole("tab", { selected: true }).first().textContent()).toBe("none · checkpointing on");
    expect((await pixelsOf(ORANGE)).count).toBe(0);
    expect((await pixelsOf(RED)).count).toBe(0);
    expect(await page.locator('[data-figure="step"] .figure-difference').textContent()).toBe("baseline");
  });

  it("colours no step difference between steps that were not stable", async () => {
    const { result, timelines } = sampleProfile(4);
    const stored = timelines.map((timeline, run) => ({ run, timeline }));
    const difference = page.locator('[data-figure="step"] .figure-difference');
    const open = (stable: boolean) => {
      const runs = result.runs.map((run) => {
        const ms = run.strategy === "none" ? 10 : 20;
        return { ...run, stepMs: { median: ms, samples: [ms, ms, ms], stable } };
      });
      return harness.open(writeContainer({ ...result, runs }, stored));
    };
    await open(true);
    expect(await difference.getAttribute("class")).toContain("is-worse");
    await open(false);
    expect(await difference.getAttribute("class")).toContain("is-unclear");
    expect(await difference.textContent()).toBe("? +10.0\u00a0ms, steps not stable");
    expect(await difference.getAttribute("title")).toMatch(
      /^the steps were not stable when the measurement ended; compared with none/,
    );
  });

  it("selects by click, explains the copy, and follows what it waited for", async () => {
    await harness.open(sample);
    const { x, y } = await pixelsOf(ORANGE);
    await page.mouse.click(x + 3, y + 4);
    await page.locator(".details h2").waitFor();
    expect(await detailsTitle()).toBe("offload model.layers.0 input");
    expect(await fact("Kind")).toBe("device-to-host copy");
    expect(await fact("Rate")).toBe("5.79\u00a0GB/s");
    expect(await page.getByRole("status").textContent()).toContain("offload model.layers.0 input, device-to-host copy");
    await page.locator(".details .link").click();
    await settle(page);
    expect(await detailsTitle()).toBe("pinned allocation");
    await press("Escape");
    expect(await page.locator(".details h2").count()).toBe(0);
  });

  it("lets a copy of two pixels beside a long wait be hit", async () => {
    await harness.open(readFileSync("test/fixtures/profiles/qwen3-tiny-cpu.offload"));
    const { x, y } = await pixelsOf(PURPLE);
    await page.mouse.click(x - 1, y + 6);
    await page.locator(".details h2").waitFor();
    expect(await detailsTitle()).toBe("copy to device");
    expect(await fact("Bytes")).toBe("64.0\u00a0KiB");
  });

  it("shows a tooltip under the pointer and takes it away again", async () => {
    await harness.open(sample);
    const { x, y } = await pixelsOf(PURPLE);
    await page.mouse.move(x + 3, y + 4);
    await page.locator(".tooltip", { hasText: "onload model.layers.6 input" }).waitFor();
    expect(await page.locator(".tooltip").textContent()).toContain("6.45\u00a0GB/s");
    await page.mouse.move(x, 5);
    await settle(page);
    expect(await page.locator(".tooltip").isVisible()).toBe(false);
  });

  it("says what is under a pointer that rests while keys move the picture", async () => {
    await harness.open(sample);
    const { x, y } = await pixelsOf(PURPLE);
    const tooltip = page.locator(".tooltip");
    const state = () => page.evaluate(() => window.harness.state as { marks: number[]; range: VisibleRange });
    await page.mouse.move(x + 3, y + 4);
    await tooltip.filter({ hasText: "onload model.layers.6 input" }).waitFor();
    await press("w", "w", "Shift+M", "m");
    expect(await tooltip.isVisible()).toBe(true);
    expect(await tooltip.textContent()).toContain("onload model.layers.6 input");
    await press("d", "m");
    const { marks, range } = await state();
    // A pan by a fifth puts the pointer's time a fifth further, and nothing of that copy is under it any more.
    expect((marks[1] ?? 0) - (marks[0] ?? 0)).toBeCloseTo((range.toNs - range.fromNs) / 5, -1);
    expect(await tooltip.filter({ hasText: "onload model.layers.6 input" }).isVisible()).toBe(false);
    await press("a");
    await tooltip.filter({ hasText: "onload model.layers.6 input" }).waitFor();
    // Without the table above, the canvas lies higher and the lane is no longer under the pointer.
    await press("c");
    expect(await tooltip.filter({ hasText: "onload model.layers.6 input" }).isVisible()).toBe(false);
  });

  it("does everything from the keyboard", async () => {
    await harness.open(sample);
    await press(".");
    expect(await detailsTitle()).toBe("model.embed_tokens");
    await press(".", ".");
    expect(await detailsTitle()).toBe("model.layers.0.self_attn.q_proj");
    await press(",");
    expect(await detailsTitle()).toBe("model.layers.0.input_layernorm");
    await press("j");
    expect(await fact("Lane")).toBe("D2H copies · offload");
    const before = (await pixelsOf(ORANGE)).count;
    await press("f");
    const zoomed = (await pixelsOf(ORANGE)).count;
    // One copy in the middle fifth of the screen is wider than seven of 25 pixels each.
    expect(zoomed).toBeGreaterThan(before);
    await press("Shift+F");
    expect((await pixelsOf(ORANGE)).count).toBe(before);
    await press("w", "w", "d", "a", "s", "s");
    await press("Shift+F");
    expect((await pixelsOf(ORANGE)).count).toBe(before);
    await press("?");
    expect(await page.getByRole("dialog").isVisible()).toBe(true);
    await press("Escape");
    expect(await page.getByRole("dialog").isVisible()).toBe(false);
    expect(await fact("Lane")).toBe("D2H copies · offload");
  });

  it("zooms with control and wheel, and moves by dragging with shift", async () => {
    await harness.open(sample);
    const overview = async () => {
      const data = await page.evaluate(() => document.querySelector<HTMLCanvasElement>("canvas.overview")?.toDataURL());
      return data ?? "";
    };
    const whole = await overview();
    const { x, y } = await pixelsOf(PURPLE);
    await page.mouse.move(x, y);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await settle(page);
    const closer = await overview();
    expect(closer).not.toBe(whole);
    await page.keyboard.down("Shift");
    await page.mouse.down();
    await page.mouse.move(x - 200, y, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await settle(page);
    expect(await overview()).not.toBe(closer);
    // A drag is not a click.
    expect(await page.locator(".details h2").count()).toBe(0);
  });
});

describe("the table twin", () => {
  it("lists the same events and shares the selection both ways", async () => {
    await harness.open(sample);
    await press(".", "j", "e");
    const selected = page.locator('.virtual-rows [aria-selected="true"]');
    expect(await selected.textContent()).toContain("offload model.layers.0 input");
    await page.locator(".grid").focus();
    await press("ArrowDown");
    expect(await selected.textContent()).toContain("model.layers.0.self_attn.q_proj");
    await press("End");
    expect(await selected.textContent()).toContain("model.layers.0.mlp.down_proj gradient");
    await press("i");
    expect(await detailsTitle()).toBe("model.layers.0.mlp.down_proj gradient");
  });

  it("filters by name and keeps only the rows in sight in the page", async () => {
    await harness.open(sample);
    await press("e");
    const count = page.locator(".filters .muted");
    expect(await count.textContent()).toBe("289 events");
    expect(await page.locator(".virtual-rows .grid-row").count()).toBeLessThan(60);
    await page.locator(".filters .text-field").first().click();
    await page.keyboard.type("onload");
    await count.filter({ hasText: "9 events" }).waitFor();
    // Letters went into the field, not to the timeline.
    expect(await page.locator(".events").isVisible()).toBe(true);
  });
});

describe("the page and its host", () => {
  it("obeys every command that the extension sends", async () => {
    await harness.open(sample);
    // Help comes last in the list and covers the rest.
    for (const command of TIMELINE_COMMANDS) {
      await page.evaluate((name) => window.harness.send({ type: "command", command: name }), command);
      await settle(page);
    }
    expect(await page.getByRole("dialog").isVisible()).toBe(true);
  });

  it("keeps run and tab when the file changes on disk", async () => {
    await harness.open(sample);
    await press("4", "e");
    const events = sampleProfile(6).timelines[3]?.events.startNs.length;
    await page.evaluate((content) => window.harness.open(content), Buffer.from(sampleContainer(6)).toString("base64"));
    await page.locator(".filters .muted", { hasText: `${events} events` }).waitFor();
    expect(await page.getByRole("tab", { selected: true }).first().textContent()).toBe(
      "veomni_async · checkpointing off",
    );
  });

  it("shows a cut file as a problem with code and next step", async () => {
    await harness.open(sample.subarray(0, 4000));
    const notice = page.getByRole("alert");
    expect(await notice.textContent()).toContain("CONTAINER_TRUNCATED");
    expect(await notice.textContent()).toContain("run the profile again");
    await page.screenshot({ path: `${PICTURES}/problem.png` });
  });

  it("says so when a run was not recorded", async () => {
    const { result, timelines } = sampleProfile(4);
    await harness.open(
      writeContainer(
        result,
        timelines.slice(0, 1).map((timeline) => ({ run: 0, timeline })),
      ),
    );
    await press("2");
    expect(await page.locator(".absent").isVisible()).toBe(true);
    await press(".", "w", "f", "e");
    await press("1");
    expect(await page.locator(".absent").isVisible()).toBe(false);
  });

  it("says where a real step would lie, of a simulated one, and calls it neither measured nor stable", async () => {
    const { result, timelines } = sampleProfile(4);
    const stepMs = { median: 1120, samples: [1120, 1120], stable: true, range: [1030, 1210] as const };
    const runs = result.runs.map((run) => ({ ...run, stepMs }));
    const simulated = { ...result, device: { ...result.device, kind: "sim" as const }, runs };
    await harness.open(
      writeContainer(
        simulated,
        timelines.map((timeline, run) => ({ run, timeline })),
      ),
    );
    const step = page.locator('[data-figure="step"]');
    expect(await step.locator(".figure-value").textContent()).toBe("1.12\u00a0s");
    expect(await step.locator(".figure-range").textContent()).toBe("(1.03–1.21\u00a0s, simulated)");
    expect(await page.locator(".figure-range").count()).toBe(1);
    expect(await page.locator("canvas.lanes").getAttribute("aria-label")).toContain(
      "Step 1.12\u00a0s (1.03–1.21\u00a0s, simulated)",
    );
    const titles = await page
      .locator(".header [title], .summary [title]")
      .evaluateAll((parts) => parts.map((part) => part.getAttribute("title") ?? ""));
    expect(titles.filter((title) => /measured|stable/i.test(title))).toEqual([]);
    await page.screenshot({ path: `${PICTURES}/simulated.png` });
  });

  it("shows names from the file as text, whatever they contain", async () => {
    const { result, timelines } = sampleProfile(2);
    const hostile = '<img src="x" onerror="alert(1)">';
    const stored = timelines.map((timeline, run) => ({
      run,
      timeline: { ...timeline, strings: timeline.strings.map(() => hostile) },
    }));
    await harness.open(writeContainer(result, stored));
    await press(".");
    expect(await detailsTitle()).toBe(hostile);
    await press("e");
    expect(await page.locator("img").count()).toBe(0);
  });

  it("opens a long trace and lets a single event be found in it", async () => {
    await harness.open(sampleContainer(800));
    // Strength shows density, so a merged box is paler than its colour: the exposed marks below are not.
    expect((await pixelsOf(RED)).count).toBeGreaterThan(0);
    await press("e");
    await page.locator(".filters .text-field").first().click();
    await page.keyboard.type("offload model.layers.777 ");
    await page.locator(".filters .muted", { hasText: "1 event" }).waitFor();
    await page.locator(".virtual-rows .grid-row").first().click();
    await page.locator("canvas.lanes").focus();
    await press("f", "i");
    expect(await detailsTitle()).toBe("offload model.layers.777 input");
    expect((await pixelsOf(ORANGE)).count).toBeGreaterThan(200);
  });
});

describe("how it looks", () => {
  const sizes = [
    { width: 1400, height: 900 },
    { width: 900, height: 620 },
    // A small window with an open side bar.
    { width: 620, height: 530 },
  ];
  const looks = (["dark", "light", "highContrast"] as const).flatMap((theme) =>
    sizes.map((size) => [theme, size] as const),
  );

  it.each(looks)("fits in %s at %o without overlap", async (theme: ThemeName, size) => {
    await harness.open(sample, theme, size);
    await press(".", "j");
    await page.screenshot({ path: `${PICTURES}/${theme}-${size.width}.png` });
    const found = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll(".page > header, .page > section:not([hidden])")].map((part) =>
        part.getBoundingClientRect(),
      );
      const overlaps = boxes.filter((box, at) => at > 0 && box.top < (boxes[at - 1]?.bottom ?? 0) - 1).length;
      const cut = [...document.querySelectorAll(".figure-value, .figure-difference")].filter(
        (value) => value.scrollWidth > value.clientWidth + 1,
      ).length;
      const badge = document.querySelector(".source .badge");
      const isBadgeWhole =
        (badge?.clientWidth ?? 0) > 0 && (badge?.clientWidth ?? 0) <= (badge?.parentElement?.clientWidth ?? 0);
      return {
        overlaps,
        cut,
        isBadgeWhole,
        bottom: boxes.at(-1)?.bottom ?? 0,
        sideways: document.documentElement.scrollWidth,
      };
    });
    expect(found).toEqual({ overlaps: 0, cut: 0, isBadgeWhole: true, bottom: size.height, sideways: size.width });
  });
});
