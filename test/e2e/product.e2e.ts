import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeProblem } from "../../src/core/base/outcome.js";
import { EventKind, type EventKindValue } from "../../src/core/timeline/columns/eventKind.js";
import { readContainer, type SavedProfile } from "../../src/core/timeline/container/readContainer.js";
import {
  codeLens,
  openFile,
  openWorkbench,
  runCommand,
  takePicture,
  type Workbench,
  webviewFrame,
} from "../host/workbench.js";

/*
 * The whole product as a user meets it: the packaged extension in a real VS Code, the sample workspace, a browser.
 */

let workbench: Workbench;

/** The run of the reference figures: 256 tokens, two sequences, three steps. */
const settings = {
  "offloadLens.profile.seqLen": 256,
  "offloadLens.profile.microBatch": 2,
  "offloadLens.profile.steps": 3,
};

beforeAll(async () => {
  workbench = await openWorkbench(undefined, { ".vscode/settings.json": JSON.stringify(settings) });
});

/** 1-based line of the sample's configuration that holds `key`. */
function lineOf(key: string): number {
  const lines = readFileSync(join(workbench.workspace, "veomni.yaml"), "utf8").split("\n");
  return lines.findIndex((line) => line.includes(key)) + 1;
}

afterAll(async () => {
  await workbench?.close();
});

describe("a verl configuration", () => {
  test("a planted mistake is underlined", async () => {
    const { page, workspace } = workbench;
    const text = readFileSync(join(workspace, "veomni.yaml"), "utf8");
    writeFileSync(join(workspace, "mistake.yaml"), text.replace("host_cache_limit_gb: 4.0", "host_cache_limit_gb: -1"));
    await openFile(page, "mistake.yaml", lineOf("host_cache_limit_gb"));
    await page.locator(".squiggly-error").first().waitFor();
    await takePicture(page, "mistake");
    await runCommand(page, "View: Close All Editors");
  });

  test("the lens says what the patterns select on this model", async () => {
    const { page } = workbench;
    await openFile(page, "veomni.yaml", lineOf("activation_offload_modules"));
    await codeLens(page, "3 of 4 layers").waitFor();
    await codeLens(page, "Profile offload").waitFor();
    await takePicture(page, "lens");
  });
});

/** Share of the canvas, from the top, that holds the lanes; the memory curves lie below. */
const lanesShare = 0.4;
/** A copy of 64 KiB takes microseconds: only when it fills a good part of the view does it have so many pixels. */
const leastCopyPixels = 300;

/**
 * Pixels in the upper `share` of the timeline's canvas that have the theme's colour of that name; of less than full strength over the
 * background, as parts of memory have it, to within the rounding of the canvas.
 */
function pixelsOf(frame: FrameLocator, colourName: string, share: number, strength: number): Promise<number> {
  const asked = { colourName, share, strength };
  return frame.locator("canvas.lanes").evaluate((canvas: HTMLCanvasElement, { colourName, share, strength }) => {
    const style = getComputedStyle(document.documentElement);
    const channels = (name: string) => {
      const hex = style.getPropertyValue(`--vscode-${name}`).trim();
      return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
    };
    const background = channels("editor-background");
    const wanted = channels(`charts-${colourName}`).map(
      (over, k) => over * strength + (background[k] ?? 0) * (1 - strength),
    );
    const tolerance = strength < 1 ? 2 : 0;
    const height = Math.floor(canvas.height * share);
    // Boxes lie on a canvas below that of the text.
    const whole = document.createElement("canvas");
    whole.width = canvas.width;
    whole.height = canvas.height;
    const context = whole.getContext("2d");
    for (const layer of document.querySelectorAll<HTMLCanvasElement>(".stage canvas")) context?.drawImage(layer, 0, 0);
    const data = context?.getImageData(0, 0, canvas.width, height).data ?? [];
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      if (wanted.every((value, k) => Math.abs((data[at + k] ?? 0) - value) <= tolerance)) count += 1;
    return count;
  }, asked);
}

async function expectColour(frame: FrameLocator, colour: string, least = 1, share = 1, strength = 1): Promise<void> {
  const timing = { timeout: 20_000, message: `pixels in ${colour}` };
  await expect.poll(() => pixelsOf(frame, colour, share, strength), timing).toBeGreaterThanOrEqual(least);
}

/** Name of the first event of a kind in the offload run. */
function nameOfFirst(kind: EventKindValue): string {
  const timeline = savedProfile().timelines[1];
  const index = timeline?.events.kind.indexOf(kind) ?? -1;
  const name = timeline?.strings[timeline.events.name[index] ?? -1];
  if (name === undefined) throw new Error(`no event of kind ${kind}`);
  return name;
}

/** The one profile that the command saved. */
function savedProfile(): SavedProfile {
  const folder = join(workbench.workspace, ".offload-lens");
  const names = readdirSync(folder).filter((name) => name.endsWith(".offload"));
  expect(names).toHaveLength(1);
  const read = readContainer(readFileSync(join(folder, names[0] ?? "")));
  if (!read.ok) throw new Error(describeProblem(read.problem));
  return read.value;
}

describe("a profile", () => {
  test("opens as a timeline with lanes and memory curves", async () => {
    const { page } = workbench;
    await codeLens(page, "Profile offload").click();
    const frame = webviewFrame(page);
    await frame.locator("canvas.lanes").waitFor({ timeout: 90_000 });
    await frame.getByRole("tab", { name: "veomni_async" }).click();
    // blue: kernels; purple: pinned memory.
    for (const colour of ["blue", "purple"]) await expectColour(frame, colour);
    // What layers keep, a part of device memory.
    await expectColour(frame, "green", 100, 1, 0.85);
    await takePicture(page, "timeline");
  });

  test.each([
    ["D2H", EventKind.copyD2H, "orange"],
    ["H2D", EventKind.copyH2D, "purple"],
  ] as const)("zooms to a %s copy that is chosen in the table", async (direction, kind, colour) => {
    const { page } = workbench;
    const frame = webviewFrame(page);
    await frame.getByRole("tab", { name: "Events" }).click();
    await frame.locator(".filters .text-field").first().click();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(nameOfFirst(kind));
    const rows = frame.locator(".virtual-rows .grid-row", { hasText: direction });
    await rows.first().click();
    await runCommand(page, "Offload Lens: Timeline: Fit Selection");
    await expectColour(frame, colour, leastCopyPixels, lanesShare);
    await takePicture(page, `timeline-${direction}`);
    await runCommand(page, "Offload Lens: Timeline: Show Everything");
  });

  test("holds the figures that the schedule determines", () => {
    const { result, timelines } = savedProfile();
    const [none, offload] = result.runs;
    if (none === undefined || offload === undefined) throw new Error("a run is missing");
    expect([none.strategy, offload.strategy]).toEqual(["none", "veomni_async"]);
    // Three of four layer inputs leave the device: micro-batch 2, 256 tokens, hidden size 64, bf16.
    expect(none.afterForwardBytes - offload.afterForwardBytes).toBe(3 * 2 * 256 * 64 * 2);
    expect([offload.copies.d2h.count, offload.copies.h2d.count]).toEqual([3, 3]);
    expect(offload.gradients.equalToBaseline).toBe(true);
    expect(timelines[1]?.memory.map((curve) => curve.of).sort()).toEqual(["device", "pinned"]);
  });
});

describe("the running extension", () => {
  test("says in VS Code's own list how long its activation took", async () => {
    const { page } = workbench;
    await runCommand(page, "Developer: Show Running Extensions");
    const row = page.locator(".runtime-extensions-editor .extension", { hasText: "VeOmni Offload Lens" });
    await row.waitFor();
    const activation = await row.locator(".activation-time").textContent();
    expect(activation).toMatch(/\d+\s*ms/);
    console.log(`activation in VS Code: ${activation}`);
  });
});
