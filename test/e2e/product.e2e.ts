import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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
  workbench = await openWorkbench();
  mkdirSync(join(workbench.workspace, ".vscode"), { recursive: true });
  writeFileSync(join(workbench.workspace, ".vscode", "settings.json"), JSON.stringify(settings));
});

afterAll(async () => {
  await workbench?.close();
});

describe("a verl configuration", () => {
  test("a planted mistake is underlined", async () => {
    const { page, workspace } = workbench;
    const text = readFileSync(join(workspace, "veomni.yaml"), "utf8");
    writeFileSync(join(workspace, "mistake.yaml"), text.replace("host_cache_limit_gb: 4.0", "host_cache_limit_gb: -1"));
    await openFile(page, "mistake.yaml");
    await page.locator(".squiggly-error").first().waitFor();
    await takePicture(page, "mistake");
    await runCommand(page, "View: Close All Editors");
  });

  test("the lens says what the patterns select on this model", async () => {
    const { page } = workbench;
    await openFile(page, "veomni.yaml");
    await codeLens(page, "3 of 4 layers").waitFor();
    await codeLens(page, "Profile offload").waitFor();
    await takePicture(page, "lens");
  });
});

describe("a profile", () => {
  test("opens as a timeline with lanes and memory curves", async () => {
    const { page, workspace } = workbench;
    await codeLens(page, "Profile offload").click();
    const frame = webviewFrame(page);
    await frame.locator("canvas").first().waitFor({ timeout: 90_000 });
    const saved = readdirSync(join(workspace, ".offload-lens")).filter((name) => name.endsWith(".offload"));
    expect(saved).toHaveLength(1);
    for (const word of ["veomni_async", "D2H", "H2D"]) await frame.getByText(word).first().waitFor();
    const picture = await takePicture(page, "timeline");
    expect(existsSync(picture)).toBe(true);
  });
});
