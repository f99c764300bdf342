import { mkdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ModulesHarness, startModulesHarness } from "./modulesHarness.js";
import type { ThemeName } from "./themes.js";

const PICTURES = "test/output/webview";
const treeFile = (name: string) => gunzipSync(readFileSync(`test/fixtures/modules/${name}.json.gz`)).toString("utf8");
const qwen3 = treeFile("qwen3");
const allLayers = ["model.layers.{*}"];

let harness: ModulesHarness;
let page: Page;

beforeAll(async () => {
  mkdirSync(PICTURES, { recursive: true });
  harness = await startModulesHarness();
  page = harness.page;
});
afterAll(() => harness?.close());
beforeEach(() => {
  harness.errors.length = 0;
});
afterEach(async () => {
  expect(harness.errors).toEqual([]);
  expect(await page.evaluate(() => window.modulesHarness.violations)).toEqual([]);
});

const line = (name: string) =>
  page.locator(".row").filter({ has: page.locator(".name", { hasText: new RegExp(`^${name}$`) }) });
const names = () => page.locator(".row .name").allTextContents();
const asked = () => page.evaluate(() => window.modulesHarness.asked);
const select = (patterns: readonly string[]) => page.evaluate((list) => window.modulesHarness.select(list), patterns);
const tickOf = (name: string) => line(name).getAttribute("aria-checked");
const focused = () => page.locator('.row[aria-selected="true"] .name').textContent();

async function press(...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

describe("the module tree", () => {
  it("folds equal layers into one line with what they do, and sums up", async () => {
    await harness.open(qwen3, allLayers);
    expect(await names()).toEqual(["(model)", "model", "embed_tokens", "layers 0–31", "norm", "rotary_emb", "lm_head"]);
    const layers = line("layers 0–31");
    expect(await layers.locator(".type").textContent()).toBe("Qwen3DecoderLayer");
    expect(await layers.locator(".count").textContent()).toBe("×32");
    expect(await layers.locator(".status").textContent()).toBe("31 move, 1 stays");
    expect(await tickOf("layers 0–31")).toBe("true");
    expect(await page.locator(".sums").textContent()).toMatch(/^32 of [\d,]+ modules selected: 31 move, 1 stays$/);
    expect(await page.locator(".figures dd").first().textContent()).toBe("992\u00a0MiB");
    expect(await page.locator(".title-line").textContent()).toContain("Qwen3ForCausalLM");
  });

  it("opens to the layers, each with its mark, index and bytes in words", async () => {
    await harness.open(qwen3, allLayers, "dark", 460);
    await line("layers 0–31").locator(".twisty").click();
    expect(await line("0").getAttribute("aria-label")).toBe("0, Qwen3DecoderLayer, moves, #0, 32.0\u00a0MiB");
    expect(await line("0").getAttribute("aria-level")).toBe("4");
    await page.locator(".tree").evaluate((tree) => {
      tree.scrollTop = tree.scrollHeight;
    });
    expect(await line("31").locator(".status").textContent()).toBe("stays");
    await page.screenshot({ path: `${PICTURES}/modules-open.png` });
  });

  it("follows the patterns without losing place or open lines", async () => {
    await harness.open(qwen3, allLayers);
    await line("layers 0–31").locator(".twisty").click();
    await select(["model.layers.[0-3]"]);
    await page.locator(".sums", { hasText: "4 of" }).waitFor();
    expect(await line("3").locator(".status").textContent()).toBe("stays");
    expect(await line("4").locator(".status").count()).toBe(0);
    await expect.poll(() => tickOf("layers 0–31")).toBe("mixed");
  });

  it("says what the framework would raise, and warns of a dead pattern", async () => {
    await harness.open(qwen3, ["model.layer.*"]);
    await page.locator(".error", { hasText: /^ValueError/ }).waitFor();
    await select([...allLayers, "model.layer.*"]);
    await page.locator(".details li", { hasText: 'Nearest: "layers"' }).waitFor();
    await expect.poll(() => page.locator(".error").count()).toBe(0);
  });

  it("shows markup in names as text", async () => {
    const hostile = JSON.stringify({
      named_modules: [
        ["", "<b>M</b>"],
        ["<img src=x onerror=alert(1)>", "X"],
      ],
    });
    await harness.open(hostile, ["*"]);
    expect(await names()).toEqual(["(model)", "<img src=x onerror=alert(1)>"]);
    expect(await page.locator(".row img").count()).toBe(0);
  });
});

describe("the keys of the tree", () => {
  it("moves, opens, closes and jumps", async () => {
    await harness.open(qwen3, allLayers);
    await page.locator(".tree").focus();
    await press("End");
    expect(await focused()).toBe("lm_head");
    await press("Home", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight");
    expect(await focused()).toBe("0");
    expect(await line("0").getAttribute("aria-expanded")).toBe("true");
    await press("ArrowLeft", "ArrowLeft");
    expect(await focused()).toBe("layers 0–31");
    const active = await page.locator(".tree").getAttribute("aria-activedescendant");
    expect(await page.locator(`#${active} .name`).textContent()).toBe("layers 0–31");
    await press("PageDown");
    expect(await page.locator('.row[aria-selected="true"]').isVisible()).toBe(true);
  });

  it("finds a line by its first letters", async () => {
    await harness.open(qwen3, allLayers);
    await page.locator(".tree").focus();
    await press("n");
    expect(await focused()).toBe("norm");
    await press("Home");
    await page.keyboard.type("lm");
    await expect.poll(focused).toBe("lm_head");
  });

  it("ticks with Space and copies with Control+C", async () => {
    await harness.open(qwen3, allLayers);
    await page.locator(".tree").focus();
    await press("End", "Space");
    await expect.poll(() => tickOf("lm_head")).toBe("true");
    await press("Home", "ArrowDown", "ArrowDown", "Control+c");
    const copies = (await asked()).filter(({ type }) => type === "copy");
    expect(copies).toEqual([{ type: "copy", model: 1, rows: [2] }]);
  });

  it("reaches the filter and comes back", async () => {
    await harness.open(qwen3, allLayers);
    await page.locator(".tree").focus();
    await press("Control+f");
    await page.keyboard.type("Q_PROJ");
    await page.locator(".found", { hasText: "32 found" }).waitFor();
    expect(await names()).toEqual(["(model)", "model", "layers 0–31"]);
    await press("Escape");
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("tree");
  });
});

describe("edit by picking", () => {
  it("shows the shortest list before it is applied, and asks the extension to write it", async () => {
    await harness.open(qwen3, allLayers);
    await line("embed_tokens").locator(".box").click();
    await page.locator(".picks-list", { hasText: "- model.embed_tokens" }).waitFor();
    expect(await page.locator(".picks-list").textContent()).toBe("- model.embed_tokens\n- model.layers.{*}");
    expect(await page.locator(".picks-heading").textContent()).toBe("Patterns for 33 ticked modules");
    await page.screenshot({ path: `${PICTURES}/modules-picking.png` });
    await page.locator(".picks-buttons vscode-button", { hasText: "Apply" }).click();
    const [apply] = (await asked()).filter(({ type }) => type === "apply");
    expect(apply?.type === "apply" && apply.rows.length).toBe(33);
    await select(["model.embed_tokens", ...allLayers]);
    await page.locator(".picks").waitFor({ state: "hidden" });
  });

  it("unticks single layers of an open run", async () => {
    await harness.open(qwen3, allLayers);
    await line("layers 0–31").locator(".twisty").click();
    await line("1").locator(".box").click();
    await expect.poll(() => tickOf("layers 0–31")).toBe("mixed");
    await page.locator(".picks-heading", { hasText: "31 ticked" }).waitFor();
    await expect.poll(() => page.locator(".picks-list").textContent()).toBe("- model.layers.[02-9]\n- model.layers.??");
  });

  it("tells ticks from what the configuration selects", async () => {
    await harness.open(qwen3, allLayers);
    await line("layers 0–31").locator(".twisty").click();
    await line("1").locator(".box").click();
    await line("embed_tokens").locator(".box").click();
    await expect.poll(() => line("1").locator(".status").textContent()).toBe("dropped");
    expect(await line("embed_tokens").locator(".status").textContent()).toBe("added");
    expect(await line("layers 0–31").locator(".status").textContent()).toBe("31 of 32 ticked");
    expect(await line("2").locator(".status").textContent()).toBe("moves");
    expect(await page.locator(".sums").textContent()).toMatch(/^As written: 32 of /);
    await page.locator(".picks-buttons vscode-button", { hasText: "Revert" }).click();
    await expect.poll(() => line("1").locator(".status").textContent()).toBe("moves");
    expect(await page.locator(".sums").textContent()).toMatch(/^32 of /);
  });

  it("keeps ticks while the file changes, and reverts to what it says", async () => {
    await harness.open(qwen3, allLayers);
    await line("lm_head").locator(".box").click();
    await select(["model.layers.0"]);
    await page.locator(".sums", { hasText: "1 of" }).waitFor();
    await expect.poll(() => tickOf("layers 0–31")).toBe("true");
    await page.locator(".picks-buttons vscode-button", { hasText: "Revert" }).click();
    await expect.poll(() => tickOf("layers 0–31")).toBe("mixed");
    await expect.poll(() => tickOf("lm_head")).toBe("false");
  });
});

/** A mixture of experts with 65,000 modules. */
function hugeTree(): string {
  const modules: [string, string][] = [
    ["", "Huge"],
    ["model", "Inner"],
    ["model.layers", "ModuleList"],
  ];
  for (let layer = 0; modules.length < 65_000; layer += 1) {
    modules.push([`model.layers.${layer}`, "Layer"], [`model.layers.${layer}.experts`, "ModuleList"]);
    for (let expert = 0; expert < 256; expert += 1) {
      const name = `model.layers.${layer}.experts.${expert}`;
      modules.push([name, "Expert"], [`${name}.up`, "Linear"], [`${name}.down`, "Linear"]);
    }
  }
  return JSON.stringify({
    named_modules: modules,
    containers: modules.filter(([, type]) => type === "ModuleList").map(([name]) => name),
  });
}

describe("a tree of 65,000 modules", () => {
  it("draws only what is seen, however much is open", async () => {
    await harness.open(hugeTree(), ["model.layers.*.experts.*"]);
    expect(await page.locator(".sums").textContent()).toMatch(/^21,[\d]+ of 65,\d+ modules selected/);
    await page.locator(".tree").focus();
    await press("End", "*", "ArrowRight");
    await press("*");
    await page.locator(".row", { hasText: "experts 0–255" }).first().waitFor();
    await press("End");
    expect(await page.locator(".row").count()).toBeLessThan(120);
    await press("Control+f");
    await page.keyboard.type("down 255");
    await page.locator(".found", { hasText: "found" }).waitFor();
    expect(await page.locator(".row").count()).toBeLessThan(120);
  });
});

describe("what is shown instead of a model", () => {
  it("names a problem with its next step, and offers to choose a model", async () => {
    await harness.open(qwen3, allLayers);
    const problem = { code: "MODEL_NOT_IN_CACHE", message: "Not here.", nextStep: "Choose another." };
    await page.evaluate((sent) => window.modulesHarness.send({ type: "problem", problem: sent }), problem);
    await page.locator(".notice", { hasText: "Choose another." }).waitFor();
    await page.locator("vscode-button", { hasText: "Choose Model" }).click();
    expect((await asked()).at(-1)).toEqual({ type: "chooseModel" });
  });
});

describe.each(["dark", "light", "highContrast"] as const satisfies readonly ThemeName[])("in the theme %s", (theme) => {
  it("has a picture to look at", async () => {
    await harness.open(
      treeFile("qwen2_5_vl"),
      ["model.visual.blocks.{*}", "model.language_model.layers.*"],
      theme,
      320,
    );
    await line("visual").locator(".twisty").click();
    await page.locator(".tree").focus();
    await press("ArrowDown", "ArrowDown");
    await page.screenshot({ path: `${PICTURES}/modules-${theme}.png` });
    expect(await page.locator(".row").count()).toBeGreaterThan(8);
  });
});
