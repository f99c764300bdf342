import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
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
 * What the simulator shows, as a user meets it: the effect of the offload in lens and hints, the simulated step in the timeline, and
 * "What If…" with its edit. The model is as large as the recorded one; no GPU is needed.
 */

const repository = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const sample = readFileSync(join(repository, "media", "sample", "veomni.yaml"), "utf8");

const qwen8b = {
  architectures: ["Qwen3ForCausalLM"],
  model_type: "qwen3",
  hidden_size: 4096,
  intermediate_size: 12288,
  num_hidden_layers: 36,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  head_dim: 128,
  vocab_size: 151936,
  tie_word_embeddings: false,
};

let workbench: Workbench;

beforeAll(async () => {
  workbench = await openWorkbench(
    { width: 1800, height: 950 },
    {
      "qwen3-8b/config.json": JSON.stringify(qwen8b),
      "large.yaml": sample
        .replace("path: ./checkpoint", "path: ./qwen3-8b")
        .replace("n_gpus_per_node: 1", "n_gpus_per_node: 8"),
      ".vscode/settings.json": JSON.stringify({
        "offloadLens.profile.seqLen": 8192,
        "offloadLens.profile.microBatch": 1,
        "offloadLens.profile.steps": 3,
      }),
    },
  );
});

afterAll(async () => {
  await workbench?.close();
});

function lineOf(key: string): number {
  return sample.split("\n").findIndex((line) => line.includes(key)) + 1;
}

test("the lens and the hints say what the offload does on a large model", async () => {
  const { page } = workbench;
  await openFile(page, "large.yaml", lineOf("activation_offload_modules"));
  // 35 of 36 layer inputs of 64 MiB each.
  await codeLens(page, "frees 2.19 GiB").waitFor();
  await codeLens(page, "Simulated, H200:").waitFor();
  await page.getByText("simulated: peak").first().waitFor();
  // Levers are simulated behind the text: more runs than the effect takes.
  await codeLens(page, /in stack backward.*would lower it/).waitFor({ timeout: 60_000 });
  await takePicture(page, "effect");
});

test("an edit brings the effect of the new text", async () => {
  const { page } = workbench;
  await openFile(page, "large.yaml", lineOf("- model.layers.{*}"));
  const retype = async (entry: string): Promise<void> => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+Home");
    await page.keyboard.type(entry);
  };
  await retype("- model.layers.[0-9]");
  // Ten layers, of which the last keeps its input.
  await codeLens(page, "frees 576 MiB").waitFor();
  await retype("- model.layers.{*}");
  await codeLens(page, "frees 2.19 GiB").waitFor();
  await page.keyboard.press("Control+S");
});

test("What If shows the grid, respects a budget and writes its choice as one edit", async () => {
  const { page } = workbench;
  await runCommand(page, "Offload Lens: What If…");
  const frame = webviewFrame(page);
  await frame.getByText("Choose checkpointing off, no offload").waitFor({ timeout: 60_000 });
  await frame.getByLabel("Memory budget in GiB").fill("40");
  await frame.getByText("Simulate", { exact: true }).click();
  await frame.getByText("Choose checkpointing on, no offload").waitFor({ timeout: 60_000 });
  await frame.locator(".plot .mark").first().waitFor();
  await takePicture(page, "what-if");
  await frame.getByText("Write into the config").click();
  await frame.getByText("Undo takes it back.").waitFor();
  const line = page.locator(".view-line", { hasText: "enable_async_activation_offload" }).first();
  await expect.poll(async () => (await line.textContent())?.includes("false")).toBe(true);
  await takePicture(page, "what-if-written");
  // One undo takes all of it back.
  await line.click();
  await page.keyboard.press("Control+Z");
  await expect.poll(async () => (await line.textContent())?.includes("true")).toBe(true);
  await page.locator(".tab", { hasText: "What If" }).locator(".codicon-close").click();
});

test("the simulated step opens in the timeline", async () => {
  const { page } = workbench;
  await codeLens(page, "frees 2.19 GiB").click();
  const frame = webviewFrame(page);
  await frame.locator("canvas.lanes").waitFor({ timeout: 90_000 });
  await frame.getByText("simulated").first().waitFor();
  await frame.getByRole("tab", { name: "veomni_async" }).click();
  await takePicture(page, "simulated-timeline");
});
