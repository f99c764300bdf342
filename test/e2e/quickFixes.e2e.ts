import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { goToLine, openWorkbench, runCommand, takePicture, type Workbench } from "../host/workbench.js";

/*
 * Findings in YAML, scripts and Markdown as a person meets them: underlined, offered a fix of each kind, settled by it, and
 * restored by one undo; and the preview of a migration.
 */

let workbench: Workbench;

/** Every file that a test writes. */
const names = [
  "findings.yaml",
  "fix-companion.yaml",
  "fix-dialect.yaml",
  "fix-inert.yaml",
  "fix-list.yaml",
  "fix-shell.sh",
  "fix-spelling.yaml",
  "guide.md",
  "migration.yaml",
];

beforeAll(async () => {
  workbench = await openWorkbench({ width: 1280, height: 800 }, Object.fromEntries(names.map((name) => [name, ""])));
});

afterEach(async () => {
  await workbench.page.keyboard.press("Escape");
  await runCommand(workbench.page, "View: Close All Editors");
});

afterAll(async () => {
  await workbench?.close();
});

function sample(name: string): string {
  return readFileSync(join(workbench.workspace, name), "utf8");
}

/** Writes a file and opens it with the cursor in `needle`. */
async function openAt(name: string, text: string, needle: string): Promise<Page> {
  const { page, workspace } = workbench;
  writeFileSync(join(workspace, name), text);
  const before = text.slice(0, text.indexOf(needle));
  const line = before.split("\n").length;
  const column = before.length - before.lastIndexOf("\n") + 1;
  // Not through quick open: its list can be older than the file.
  const row = page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).first();
  await row.dblclick();
  await page.locator(".tab.active", { hasText: name }).waitFor();
  await goToLine(page, line, column);
  return page;
}

/** Waits for the finding, opens the list of fixes and goes to the wanted one; Enter applies it. */
async function goToFix(page: Page, title: string): Promise<void> {
  await page.locator(".squiggly-error, .squiggly-warning, .squiggly-info").first().waitFor();
  const fix = page.locator(".action-widget .monaco-list-row", { hasText: title }).first();
  // The list holds what was known when it opened; the squiggle may be one of an older text.
  await expect
    .poll(
      async () => {
        await page.keyboard.press("Escape");
        await page.keyboard.press("Control+.");
        return fix.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 40_000 },
    )
    .toBe(true);
  const isFocused = () => fix.evaluate((row) => row.classList.contains("focused"));
  for (let rows = 0; rows < 10 && !(await isFocused()); rows++) await page.keyboard.press("ArrowDown");
  expect(await isFocused()).toBe(true);
}

async function savedText(page: Page, name: string): Promise<string> {
  await page.keyboard.press("Control+S");
  await page.locator(".tab.active:not(.dirty)").waitFor();
  return sample(name);
}

interface FixCase {
  readonly kind: string;
  readonly file: string;
  readonly from: readonly [right: string, wrong: string];
  readonly cursor: string;
  readonly title: string;
  /** What the wrong text becomes, where that is not the right one. */
  readonly becomes?: string;
}

const list = "activation_offload_modules:\n        - model.layers.{*}";
/** Of the sample, between the switch and the list. */
const comments =
  "\n\n      # Which modules take part. `{*}` takes every child of the container;\n      # an empty list takes the model's decoder layers.\n      ";
const override = `actor_rollout_ref.actor.veomni.activation_offload_modules=["model.layers.{*}"]`;
const cases: readonly FixCase[] = [
  {
    kind: "fix-spelling",
    file: "veomni.yaml",
    from: ["activation_offload_modules:", "activation_offload_module:"],
    cursor: "activation_offload_module:",
    title: "Rename to activation_offload_modules",
  },
  {
    kind: "fix-dialect",
    file: "veomni.yaml",
    from: ["enable_async_activation_offload:", "enable_async_activation:"],
    cursor: "enable_async_activation:",
    title: "Rename to enable_async_activation_offload",
  },
  {
    kind: "fix-list",
    file: "veomni.yaml",
    from: [list, "activation_offload_modules: model.layers.{*}"],
    cursor: "model.layers.{*}",
    title: 'Write ["model.layers.{*}"]',
    becomes: 'activation_offload_modules: ["model.layers.{*}"]',
  },
  {
    kind: "fix-companion",
    file: "veomni.yaml",
    from: [`enable_async_activation_offload: true${comments}${list}`, `${comments.trimStart()}${list}`],
    cursor: "activation_offload_modules:",
    title: "Turn on enable_async_activation_offload",
    becomes: `${comments.trimStart()}${list}\n      enable_async_activation_offload: true`,
  },
  {
    kind: "fix-inert",
    file: "veomni.yaml",
    from: ["      fsdp_size: -1\n", "      fsdp_size: -1\n      load_checkpoint_path: /checkpoints/step_100\n"],
    cursor: "load_checkpoint_path",
    title: "Remove load_checkpoint_path",
  },
  {
    kind: "fix-shell",
    file: "run_grpo.sh",
    from: [`'${override}'`, override],
    cursor: '["model.layers',
    title: "Quote for the shell",
    becomes: override.replace("=", "='").concat("'"),
  },
];

describe("quick fixes", () => {
  test.each(cases)("$kind: $title", async ({ kind, file, from: [right, wrong], cursor, title, becomes = right }) => {
    const text = sample(file);
    expect(text).toContain(right);
    const mistaken = text.replace(right, () => wrong);
    const name = `${kind}.${file.split(".").at(-1)}`;
    const page = await openAt(name, mistaken, cursor);
    await goToFix(page, title);
    await takePicture(page, kind);
    await page.keyboard.press("Enter");
    await page.locator(".tab.active.dirty").waitFor();
    expect(await savedText(page, name)).toBe(text.replace(right, () => becomes));
    await page.keyboard.press("Control+Z");
    await page.locator(".tab.active.dirty").waitFor();
    expect(await savedText(page, name)).toBe(mistaken);
  });

  test("the overrides of a Markdown file are judged too", async () => {
    const text = `# How to run\n\n\`\`\`bash\npython3 -m verl.trainer.main_ppo model_engine=veomni \\\n  actor_rollout_ref.actor.veomni.enable_async_activation_ofload=true\n\`\`\`\n`;
    const page = await openAt("guide.md", text, "enable_async");
    await goToFix(page, "enable_async_activation_offload");
    await takePicture(page, "fix-markdown");
  });
});

describe("findings and migration", () => {
  test("findings stand in the Problems view with their codes", async () => {
    const text = sample("veomni.yaml")
      .replace("host_cache_limit_gb: 4.0", "host_cache_limit_gb: -1")
      .replace("param_offload:", "parm_offload:")
      .replace("      strategy: veomni\n      fsdp_size", "      activation_gpu_limit: 1.0\n      fsdp_size");
    const page = await openAt("findings.yaml", text, "parm_offload");
    await page.locator(".squiggly-error").first().waitFor();
    await page.keyboard.press("Control+Shift+M");
    await page.locator(".markers-panel .monaco-list-row", { hasText: "unknown-key" }).first().waitFor();
    await page.locator(".markers-panel .monaco-list-row", { hasText: "removed-key" }).first().waitFor();
    await page.locator(".markers-panel .monaco-list-row", { hasText: "out-of-range" }).first().waitFor();
    await takePicture(page, "diagnostics");
    await page.keyboard.press("Control+Shift+M");
  });

  test("the targets of a migration have names, versions and what would change", async () => {
    const text =
      "model:\n  model_path: ./checkpoint\ndata:\n  train_path: data.jsonl\ntrain:\n  accelerator:\n    offload_config:\n      enable_async_activation: true\n";
    const page = await openAt("targets.yaml", text, "enable_async_activation");
    await runCommand(page, "Offload Lens: Migrate to Another Layout");
    const rows = page.locator(".quick-input-list .monaco-list-row");
    await rows.filter({ hasText: "Accelerator and optimizer under model" }).waitFor();
    const older = rows.filter({ hasText: "Flat keys under train" });
    expect(await older.textContent()).toMatch(/VeOmni before #538[\s\S]*flat: older, 1 key would be lost/);
    await takePicture(page, "migration-targets");
    await page.keyboard.press("Escape");
  });

  test("a migration is previewed beside the file, applied on request, and undone at once", async () => {
    const text = [
      "# Trained on one host.",
      "model:",
      "  model_path: ./checkpoint",
      "data:",
      "  train_path: data.jsonl",
      "train:",
      "  # peak rate",
      "  lr: 1.0e-5 # of the paper",
      "  accelerator:",
      "    offload_config:",
      "      # GiB",
      "      activation_gpu_limit: 2.0",
      "      enable_activation: true",
      "    offload: {}",
      "",
    ].join("\n");
    const page = await openAt("migration.yaml", text, "offload: {}");
    await goToFix(page, "Migrate the whole file to the layout");
    await takePicture(page, "fix-migrate");
    await page.keyboard.press("Enter");
    await page.locator(".monaco-diff-editor").waitFor();
    await page.locator(".monaco-diff-editor .line-insert").first().waitFor();
    // Away from the explorer, whose tooltip would cover the preview.
    await page.mouse.move(700, 700);
    await page.locator(".workbench-hover").waitFor({ state: "hidden" });
    await takePicture(page, "migration-preview");
    await runCommand(page, "Offload Lens: Apply Migration");
    await page.locator(".monaco-diff-editor").waitFor({ state: "detached" });
    expect(await savedText(page, "migration.yaml")).not.toBe(text);
    await page.keyboard.press("Control+Z");
    await page.locator(".tab.active.dirty").waitFor();
    expect(await savedText(page, "migration.yaml")).toBe(text);
  });
});
