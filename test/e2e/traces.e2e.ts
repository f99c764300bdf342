import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, test } from "vitest";
import { openWorkbench, runCommand, takePicture, type Workbench, webviewFrame } from "../host/workbench.js";

/*
 * Traces of real training in a real VS Code: the packaged extension, its thread, its page.
 */

const RANK = "fsdp2_q8x16_s8k_gc_veomni_rank0.pt.trace.json";
let workbench: Workbench;

beforeAll(async () => {
  const read = (name: string) => gunzipSync(readFileSync(`test/fixtures/traces/${name}.gz`)).toString();
  const other = RANK.replace("rank0", "rank1");
  workbench = await openWorkbench(undefined, {
    [RANK]: read(RANK),
    [`ranks/${RANK}`]: read(RANK),
    [`ranks/${other}`]: read(other),
    "broken.pt.trace.json": "no trace",
  });
});

afterAll(async () => {
  await workbench?.close();
});

async function quickOpen(name: string): Promise<void> {
  const { page } = workbench;
  await page.keyboard.press("Control+P");
  const input = page.locator(".quick-input-widget input");
  await input.waitFor();
  await input.fill(name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor();
  await page.keyboard.press("Enter");
}

describe("a trace", () => {
  test("opens from the explorer as a timeline", async () => {
    const { page } = workbench;
    await quickOpen(RANK);
    const frame = webviewFrame(page);
    await frame.locator("canvas.lanes").waitFor({ timeout: 60_000 });
    await frame
      .getByText(/549\s?ms/)
      .first()
      .waitFor({ timeout: 30_000 });
    // The page asks for what it shows piece by piece.
    await page.waitForTimeout(2_000);
    await takePicture(page, "real-trace-in-editor");
    await runCommand(page, "View: Close All Editors");
  });

  test("is compared with a file that is added, in a tab that names both", async () => {
    const { page, workspace } = workbench;
    await quickOpen(RANK);
    await webviewFrame(page).locator("canvas.lanes").waitFor({ timeout: 60_000 });
    await runCommand(page, "Offload Lens: Timeline: Compare with a File…");
    const input = page.locator(".quick-input-widget input");
    const listed = page.locator(".quick-input-list .monaco-list-row");
    await listed.filter({ hasText: "ranks" }).waitFor();
    await input.fill(`${join(workspace, "ranks")}/`);
    const other = RANK.replace("rank0", "rank1");
    await listed.filter({ hasText: other }).click();
    await page.locator(".tab.active", { hasText: `${RANK} ↔ ${other}` }).waitFor({ timeout: 60_000 });
    const frame = page.frameLocator("iframe.webview.ready:visible").frameLocator("#active-frame");
    await frame.getByRole("tab", { name: "Compare", selected: true }).waitFor({ timeout: 60_000 });
    await frame.getByText(/A is .*rank0.*, B is .*rank1/).waitFor({ timeout: 30_000 });
    await takePicture(page, "comparison-in-editor");
    await runCommand(page, "View: Close All Editors");
  });

  test("opens beside the other ranks of its folder", async () => {
    const { page, workspace } = workbench;
    await runCommand(page, "Offload Lens: Open Folder of Ranks…");
    const input = page.locator(".quick-input-widget input");
    await input.waitFor();
    const folders = page.locator(".quick-input-list .monaco-list-row");
    await folders.filter({ hasText: "ranks" }).waitFor();
    await input.fill(`${join(workspace, "ranks")}/`);
    // The dialog goes into a folder whose path is typed; before it has, its button chooses the one above.
    await folders.filter({ hasText: "ranks" }).waitFor({ state: "hidden" });
    await page.locator(".quick-input-widget .monaco-button", { hasText: "Open Ranks" }).click();
    const frame = webviewFrame(page);
    await frame.locator("canvas.lanes").waitFor({ timeout: 60_000 });
    await frame
      .getByText(/rank 1/)
      .first()
      .waitFor({ timeout: 30_000 });
    await page.waitForTimeout(2_000);
    await takePicture(page, "ranks-in-editor");
    await runCommand(page, "View: Close All Editors");
  });

  test("that is none is a message with a code", async () => {
    const { page } = workbench;
    await quickOpen("broken.pt.trace.json");
    await webviewFrame(page)
      .getByText(/TRACE_FOREIGN/)
      .first()
      .waitFor({ timeout: 60_000 });
    await runCommand(page, "View: Close All Editors");
  });
});
