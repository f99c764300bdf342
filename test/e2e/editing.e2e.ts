import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openFile, openWorkbench, runCommand, takePicture, type Workbench } from "../host/workbench.js";

/*
 * What helps while a configuration is written, as a person sees it: suggestions, hovers, grey hints, the status item.
 */

let workbench: Workbench;

beforeAll(async () => {
  workbench = await openWorkbench({ width: 1280, height: 800 });
});

afterEach(async () => {
  await workbench.page.keyboard.press("Escape");
  await runCommand(workbench.page, "File: Revert File");
  await runCommand(workbench.page, "View: Close All Editors");
});

afterAll(async () => {
  await workbench?.close();
});

function sampleText(): string {
  return readFileSync(join(workbench.workspace, "veomni.yaml"), "utf8");
}

/** Opens a file with the cursor at the end of the first line that holds `needle`; `text` writes it anew. */
async function openAt(name: string, needle: string, text?: string): Promise<Page> {
  const { page, workspace } = workbench;
  if (text !== undefined) writeFileSync(join(workspace, name), text);
  const line = (text ?? sampleText()).split("\n").findIndex((each) => each.includes(needle)) + 1;
  await openFile(page, name, line);
  await page.keyboard.press("End");
  return page;
}

/** The line over the block; it moves what stands below, so a picture waits for it. */
function lens(page: Page) {
  return page.locator(".codelens-decoration", { hasText: "Profile offload" }).first();
}

function suggestion(page: Page, text: string) {
  return page.locator(".suggest-widget.visible .monaco-list-row", { hasText: text }).first();
}

/** How opaque an element is on the screen, with all that it stands in: panels fade in. */
function shownOpacity(element: Element): number {
  let opacity = 1;
  for (let each: Element | null = element; each !== null; each = each.parentElement) {
    opacity *= Number(getComputedStyle(each).opacity);
  }
  return opacity;
}

describe("writing a configuration", () => {
  test("suggests keys with their explanation", async () => {
    const page = await openAt(
      "keys.yaml",
      "fsdp_size",
      sampleText().replace(/ +activation_offload_modules:\n +- .*\n/, ""),
    );
    await page.keyboard.press("Enter");
    await page.keyboard.type("activation_off");
    await page.keyboard.press("Control+Space");
    await suggestion(page, "activation_offload_modules").waitFor();
    await page.keyboard.press("Control+Space");
    await page.locator(".suggest-details", { hasText: "since: verl #7724" }).waitFor();
    await takePicture(page, "completion-keys");
  });

  test("suggests patterns and modules of the config's model", async () => {
    const page = await openAt("veomni.yaml", "- model.layers.{*}");
    await lens(page).waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.type("- model.layers.0.");
    await page.keyboard.press("Control+Space");
    await suggestion(page, "model.layers.0.self_attn").waitFor();
    // The hint of the line above has followed the new line.
    await page.locator(".view-line", { hasText: "nothing" }).first().waitFor();
    await takePicture(page, "completion-modules");
  });

  test("explains what a pattern selects", async () => {
    const page = await openAt("veomni.yaml", "- model.layers.{*}");
    await lens(page).waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await runCommand(page, "Show or Focus Hover");
    const hover = page.locator(".monaco-hover", { hasText: "Adds 4 modules" }).first();
    await hover.waitFor();
    await expect.poll(() => hover.evaluate(shownOpacity)).toBe(1);
    await takePicture(page, "hover");
  });

  test("shows bytes and counts behind the values", async () => {
    const page = await openAt("veomni.yaml", "host_cache_limit_gb");
    await page.locator(".view-line", { hasText: "4,294,967,296" }).first().waitFor();
    await page.locator(".view-line", { hasText: "4\u00a0modules" }).first().waitFor();
    await takePicture(page, "hints");
  });

  test("names the dialect and the model in the language status", async () => {
    const page = await openAt("veomni.yaml", "model_engine");
    await page.locator(".statusbar-item[id='status.languageStatus']").click();
    await page.locator(".hover-language-status", { hasText: "verl, VeOmni engine" }).first().waitFor();
    const status = page.locator(".hover-language-status", { hasText: "model checkpoint (from the config)" }).first();
    await status.waitFor();
    await expect.poll(() => status.evaluate(shownOpacity)).toBe(1);
    await takePicture(page, "language-status");
  });
});
