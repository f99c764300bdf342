import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readContainer } from "../../src/core/timeline/container/readContainer.js";
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
 * A profile that was measured on a GPU, in a real VS Code.
 */

const measured = "test/fixtures/profiles/qwen3-8b-h200.offload";

let workbench: Workbench;

beforeAll(async () => {
  workbench = await openWorkbench({ width: 1600, height: 1000 });
});
afterAll(async () => {
  await workbench?.close();
});

describe("a profile from an H200", () => {
  test("opens with its device, driver and figures", async () => {
    const { page, workspace } = workbench;
    const folder = join(workspace, ".offload-lens");
    mkdirSync(folder, { recursive: true });
    cpSync(measured, join(folder, "qwen3-8b-h200.offload"));
    // Its lens says that the extension is there, commands and all.
    await openFile(page, "veomni.yaml", 1);
    await codeLens(page, "Profile offload").waitFor({ state: "attached", timeout: 60_000 });
    await runCommand(page, "Offload Lens: Open Last Profile");
    await page.locator(".tab.active", { hasText: "qwen3-8b-h200.offload" }).waitFor();
    const frame = webviewFrame(page);
    await frame.locator('[data-figure="step"] .figure-value').waitFor({ timeout: 30_000 });
    const saved = readContainer(readFileSync(measured));
    if (!saved.ok) throw new Error(saved.problem.message);
    const { device } = saved.value.result;
    expect(device.kind).toBe("cuda");
    const source = frame.locator(".source-device");
    expect(await source.textContent()).toBe(`${device.name}, driver ${device.driver}`);
    expect(await source.getAttribute("title")).toContain(`driver ${device.driver}; matrix products: cuBLAS`);
    expect(await frame.locator(".source .badge").textContent()).toBe("measured");
    expect(await frame.getByRole("tab", { selected: true }).first().textContent()).toContain("veomni_async");
    await takePicture(page, "timeline-h200");
  });
});
