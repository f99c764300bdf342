import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  codeLens,
  goToLine,
  openFile,
  openWorkbench,
  runCommand,
  takePicture,
  type Workbench,
  webviewFrame,
} from "../host/workbench.js";

/*
 * The Modules view as a person meets it: beside the configuration, following it, and writing into it.
 */

let workbench: Workbench;

beforeAll(async () => {
  workbench = await openWorkbench({ width: 1280, height: 800 }, { "dead.yaml": "" });
});

afterAll(async () => {
  await workbench?.close();
});

function sampleText(): string {
  return readFileSync(join(workbench.workspace, "veomni.yaml"), "utf8");
}

function lineOf(text: string, needle: string): number {
  return text.split("\n").findIndex((line) => line.includes(needle)) + 1;
}

const treeLine = (name: string) =>
  webviewFrame(workbench.page)
    .locator(".row")
    .filter({ has: webviewFrame(workbench.page).locator(".name", { hasText: new RegExp(`^${name}$`) }) });

/** Brings the lens into view; the editor forgets where it was while the side bar opens beside it. */
async function showLens(text: string): Promise<void> {
  const { page } = workbench;
  const lens = codeLens(page, text);
  for (let attempt = 0; attempt < 5 && !(await lens.isVisible()); attempt++) {
    await page.locator(".tab.active").click();
    await goToLine(page, lineOf(sampleText(), "activation_offload_modules"));
    await lens.waitFor({ timeout: 3000 }).catch(() => undefined);
  }
  await lens.waitFor();
}

describe("the Modules view", () => {
  test("shows the config's model beside it, with what the patterns select", async () => {
    const { page } = workbench;
    await openFile(page, "veomni.yaml", lineOf(sampleText(), "activation_offload_modules"));
    await runCommand(page, "Offload Lens: Focus on Modules View");
    await treeLine("layers 0–3").locator(".status", { hasText: "3 move, 1 stays" }).waitFor({ timeout: 60_000 });
    await showLens("3 of 4 layers");
    await treeLine("layers 0–3").locator(".twisty").click();
    await treeLine("3").locator(".status", { hasText: "stays" }).waitFor();
    await page.mouse.move(700, 790);
    await takePicture(page, "modules-view");
  });

  test("previews the list for ticked modules, writes it, and Undo takes it back", async () => {
    const { page } = workbench;
    const frame = webviewFrame(page);
    await treeLine("0").locator(".box").click();
    await treeLine("embed_tokens").locator(".box").click();
    await expect
      .poll(() => frame.locator(".picks-list").textContent())
      .toBe("- model.embed_tokens\n- model.layers.[1-3]");
    await page.mouse.move(700, 790);
    await takePicture(page, "modules-pick");
    await frame.locator(".picks-buttons vscode-button", { hasText: "Apply" }).click();
    await page.locator(".view-line", { hasText: "- model.embed_tokens" }).waitFor();
    await page.locator(".view-line", { hasText: "- model.layers.[1-3]" }).waitFor();
    await frame.locator(".picks").waitFor({ state: "hidden" });
    await page.locator(".view-line", { hasText: "- model.embed_tokens" }).click();
    await page.keyboard.press("Control+Z");
    await page.locator(".view-line", { hasText: "- model.layers.{*}" }).waitFor();
    await frame.locator(".sums", { hasText: "4 of" }).waitFor();
    await runCommand(page, "File: Revert File");
  });
});

/** How the editor draws the text of a pattern. */
function decorationOf(text: string): Promise<string> {
  return workbench.page
    .locator(".view-line span span", { hasText: text })
    .last()
    .evaluate((span) => {
      return getComputedStyle(span).textDecorationLine;
    });
}

describe("a pattern that matches nothing", () => {
  test("is struck out, and the hover says why and what is near", async () => {
    const { page, workspace } = workbench;
    const text = sampleText().replace(
      "        - model.layers.{*}\n",
      "        - model.layer.*\n        - model.layers.{*}.mlp\n",
    );
    writeFileSync(join(workspace, "dead.yaml"), text);
    await openFile(page, "dead.yaml", lineOf(text, "- model.layer.*"));
    await expect.poll(() => decorationOf("model.layer.*"), { timeout: 20_000 }).toContain("line-through");
    await expect.poll(() => decorationOf(".mlp"), { timeout: 20_000 }).toContain("line-through");
    await page.locator(".view-line", { hasText: "- model.layer.*" }).click();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await runCommand(page, "Show or Focus Hover");
    const hover = page.locator(".monaco-hover", { hasText: 'Nearest: "layers"' }).first();
    await hover.waitFor();
    await expect.poll(() => hover.evaluate((element) => getComputedStyle(element).opacity)).toBe("1");
    await takePicture(page, "dead-pattern-hover");
    await page.keyboard.press("Escape");
  });
});
