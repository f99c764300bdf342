import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TIMELINE_COMMANDS } from "../../../src/core/timeline/query/protocol.js";
import { BINDINGS, BY_LETTER } from "../../../src/webview/timeline/keyBindings.js";
import { sampleContainer } from "../../unit/profile/sampleProfile.js";
import { type Harness, settle, startHarness } from "./harness.js";
import { pressKeys } from "./pageSteps.js";
import { sampleTrace } from "./sampleTrace.js";
import { THEMES, type ThemeName } from "./themes.js";

const sample = sampleContainer(8);
const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core"), "utf8");

let harness: Harness;
let page: Page;

beforeAll(async () => {
  harness = await startHarness();
  page = harness.page;
  // The page's policy forbids scripts but its own; the checker is one.
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.setBypassCSP", { enabled: true });
});
afterAll(() => harness.close());

const press = (...keys: string[]) => pressKeys(page, ...keys);

interface Axe {
  run(): Promise<{
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
  }>;
}

/** What axe-core finds, one line per element. */
async function violations(): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate(async () => {
    const { axe } = window as unknown as { readonly axe: Axe };
    const found = await axe.run();
    return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}

describe.each(Object.keys(THEMES) as ThemeName[])("axe-core in %s", (theme) => {
  it("has nothing to say about a profile, whatever is open", async () => {
    await harness.open(sample, theme);
    expect(await violations()).toEqual([]);
    await press(".", "j", "m", "r", "g");
    for (const key of ["i", "e", "t", "x", "b", "?"]) {
      await press(key);
      expect(await violations(), key).toEqual([]);
    }
  });

  it("has nothing to say about a trace, a fault and a wait", async () => {
    const bytes = Buffer.from(sampleTrace());
    const broken = { name: "rank1.json", bytes: Buffer.from("no trace") };
    await harness.openTraces([{ name: "rank0.json", bytes }, broken], theme);
    await press(".", "j", "u", "g");
    expect(await violations()).toEqual([]);
    await page.evaluate(() =>
      window.harness.send({ type: "problem", problem: { code: "X", message: "No.", cause: "Why.", nextStep: "Do." } }),
    );
    await page.locator(".notice [role=alert]").waitFor();
    expect(await violations()).toEqual([]);
    await page.evaluate(() =>
      window.harness.send({
        type: "loading",
        fileName: "big.json",
        sizeBytes: 2_000_000,
        progress: { readBytes: 500_000, ofBytes: 2_000_000, events: 12_345, phase: "reading" },
      }),
    );
    await page.locator(".notice progress").waitFor();
    expect(await violations()).toEqual([]);
  });
});

/** What has the focus, as a screen reader names it. */
async function focused(): Promise<string> {
  return page.evaluate(() => {
    const target = document.activeElement;
    const name = target?.getAttribute("aria-label") || target?.textContent || target?.getAttribute("title") || "";
    return `${target?.tagName.toLowerCase()} ${name.slice(0, 60).trim()}`;
  });
}

describe("without a mouse", () => {
  it("every action has a key of its own", () => {
    const byKey = new Set<string>([...BINDINGS.map(({ command }) => command), ...Object.values(BY_LETTER)]);
    expect(TIMELINE_COMMANDS.filter((command) => !byKey.has(command))).toEqual([]);
    const keys = BINDINGS.map(({ code, shift }) => `${code} ${shift ?? false}`);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("Tab reaches every control in order, and back", async () => {
    await harness.open(sample, "dark", { width: 1400, height: 900 });
    await press(".", "j", "e", "g");
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const seen: string[] = [];
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press("Tab");
      const name = await focused();
      if (name === seen[0] || name.startsWith("body")) break;
      seen.push(name);
    }
    const parts = [
      "veomni_async · checkpointing on",
      "Table of all runs",
      "Side by side",
      "Findings (G)",
      "Save and copy",
      "Zoom in",
      "Keys and formulas",
      "Timeline of veomni_async",
      "Compute, compute",
      "D2H copies, offload",
      "Height of the panel below",
      "Events (289)",
      "Search by name",
      "Lane",
      "At least this long",
      "Events",
    ];
    const places = parts.map((part) => seen.findIndex((name) => name.includes(part)));
    expect(places.map((place, at) => (place < 0 ? parts[at] : ""))).toEqual(parts.map(() => ""));
    await page.keyboard.press("Shift+Tab");
    expect(seen).toContain(await focused());
  });

  it("the menu opens, moves, chooses and closes by keys, and gives the focus back", async () => {
    await harness.open(sample);
    const button = page.getByRole("button", { name: "Save and copy" });
    await button.focus();
    await press("Enter");
    expect(await focused()).toContain("Copy selection");
    await press("ArrowUp");
    expect(await focused()).toContain("Compare with a file");
    await press("Home", "ArrowDown", "Escape");
    expect(await page.getByRole("menu").isVisible()).toBe(false);
    expect(await focused()).toContain("Save and copy");
  });

  it("help keeps the focus until it is closed, and letters do nothing meanwhile", async () => {
    await harness.open(sample);
    await page.locator("canvas.lanes").focus();
    await press("?", "Tab", "Tab", "e");
    expect(await page.getByRole("dialog").isVisible()).toBe(true);
    expect(await page.locator(".events").isVisible()).toBe(false);
    expect(await page.evaluate(() => document.activeElement?.closest(".help") !== null)).toBe(true);
    await press("Escape");
    expect(await focused()).toContain("Timeline of");
  });

  it("the table and the canvas always have the same selection", async () => {
    await harness.open(sample);
    await press("e", ".");
    const selected = page.locator('.virtual-rows [aria-selected="true"]');
    const rowName = () => selected.locator("span").nth(4).textContent();
    for (const key of [".", "j", ".", "j", ",", "k", ".", ".", "j", "k"]) {
      await press(key);
      const name = await rowName();
      await press("i");
      expect(await page.locator(".details h2").textContent(), key).toBe(name);
      await press("e");
    }
  });

  it("moves nothing by itself where motion is unwanted", async () => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await harness.open(sample);
    await press("f", "g");
    const moving = await page.evaluate(
      () => document.getAnimations().filter((animation) => animation.playState === "running").length,
    );
    expect(moving).toBe(0);
    await page.emulateMedia({ reducedMotion: null });
    await settle(page);
  });
});
