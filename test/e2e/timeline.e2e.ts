import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorkbench, runCommand, takePicture, type Workbench, webviewFrame } from "../host/workbench.js";
import { sampleContainer } from "../unit/profile/sampleProfile.js";
import { sampleTrace } from "./webview/sampleTrace.js";

/*
 * Traces and saved profiles in a real VS Code: which editor opens them, commands that reach the page, files that it writes.
 */

let workbench: Workbench;

beforeAll(async () => {
  workbench = await openWorkbench(undefined, { "rank0.pt.trace.json": sampleTrace(0) });
});
afterAll(async () => {
  await workbench?.close();
});

/** Calls a command of the timeline and waits until the palette is gone: a key for the next one would be lost in it. */
async function timelineCommand(page: Page, title: string): Promise<void> {
  await runCommand(page, `Offload Lens: Timeline: ${title}`);
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}

async function quickOpen(page: Page, name: string): Promise<void> {
  await page.keyboard.press("Control+P");
  const input = page.locator(".quick-input-widget input");
  await input.waitFor();
  await input.fill(name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: name }).waitFor();
}

describe("a trace", () => {
  test("opens as a timeline by its name", async () => {
    const { page } = workbench;
    await quickOpen(page, "rank0.pt.trace.json");
    const frame = webviewFrame(page);
    await frame.locator(".figure dt", { hasText: "Compute busy" }).waitFor({ timeout: 30_000 });
    expect(await frame.locator(".source-device").textContent()).toBe("Example GPU");
    await takePicture(page, "trace-in-editor");
  });

  test("obeys commands of the palette", async () => {
    const { page } = workbench;
    const frame = webviewFrame(page);
    await timelineCommand(page, "Show Metrics");
    await frame.locator(".metrics table").first().waitFor();
    await timelineCommand(page, "Next Event");
    await timelineCommand(page, "Lane Below");
    await timelineCommand(page, "Show Details");
    await frame.locator(".details h2", { hasText: "Memcpy DtoH" }).waitFor();
    await timelineCommand(page, "Select Time of the Event");
    await frame.getByRole("tab", { name: "Metrics of selection" }).waitFor();
  });

  test("saves its picture where the user says", async () => {
    const { page, workspace } = workbench;
    await runCommand(page, "Offload Lens: Timeline: Save Picture…");
    const input = page.locator(".quick-input-widget input");
    await expect.poll(() => input.inputValue(), { timeout: 20_000 }).toMatch(/\.png$/);
    const path = join(workspace, "picture.png");
    await input.fill(path);
    await page.keyboard.press("Enter");
    const signature = () => {
      try {
        return readFileSync(path).subarray(1, 4).toString("latin1");
      } catch {
        return "";
      }
    };
    await expect.poll(signature, { timeout: 20_000 }).toBe("PNG");
    await webviewFrame(page).locator(".toast", { hasText: "picture.png" }).waitFor();
  });
});

describe("the last profile", () => {
  test("is missed with a next step where nothing was saved", async () => {
    const { page } = workbench;
    await runCommand(page, "Offload Lens: Open Last Profile");
    const notice = page.locator(".notification-toast", { hasText: "No saved profile was found." });
    await notice.waitFor();
    expect(await notice.textContent()).toContain("Profile Offload");
    await page.keyboard.press("Escape");
  });

  test("is opened again, the newest of several", async () => {
    const { page, workspace } = workbench;
    const folder = join(workspace, ".offload-lens");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "zz-older.offload"), sampleContainer(2));
    await new Promise((resolve) => setTimeout(resolve, 50));
    writeFileSync(join(folder, "aa-newer.offload"), sampleContainer(4));
    await runCommand(page, "Offload Lens: Open Last Profile");
    await page.locator(".tab.active", { hasText: "aa-newer.offload" }).waitFor();
  });
});
