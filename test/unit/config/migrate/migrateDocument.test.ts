import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../src/core/config/check.js";
import { migrateDocument, migrationDialectOf } from "../../../../src/core/config/migrate/migrateDocument.js";
import { anyPath, commentsOf, fixture, migrated, refused } from "./migratedText.js";

const layouts = ["flat", "train-scoped", "train-scoped+async", "model-scoped", "model-scoped+template"] as const;
const upwards = layouts.flatMap((from, place) => layouts.slice(place + 1).map((to) => [from, to] as const));

describe("migrateDocument", () => {
  it.each(upwards)("converts %s to %s: clean, with every comment, and once", (from, to) => {
    const text = fixture(`${from}.yaml`);
    const { text: converted, from: found, to: reached } = migrated(text, to);
    expect([found, reached]).toEqual([from, to]);
    expect(checkDocument(anyPath, converted, { layout: to })).toEqual({ dialect: to, diagnostics: [] });
    const comments = commentsOf(converted);
    for (const comment of commentsOf(text).filter((each) => !each.includes("layout="))) {
      expect(comments.some((each) => each.endsWith(comment))).toBe(true);
    }
    expect(migrated(converted, to).edits).toEqual([]);
  });

  it.each(["train-scoped", "model-scoped+template"] as const)("writes the flat fixture as expected in %s", (to) => {
    expect(migrated(fixture("flat.yaml"), to).text).toBe(fixture(`expected/flat.to.${to}.yaml`));
  });

  it("writes the fixture with the mistakes of shipped configs as expected", () => {
    const text = fixture("train-scoped.yaml");
    expect(migrated(text, "model-scoped+template").text).toBe(
      fixture("expected/train-scoped.to.model-scoped+template.yaml"),
    );
    expect(migrated(text, "train-scoped").text).toBe(fixture("expected/train-scoped.to.train-scoped.yaml"));
  });

  it.each(layouts.filter((layout) => layout !== "train-scoped"))(
    "has nothing to do in a %s file for that layout",
    (layout) => {
      const { edits, homeless, changed } = migrated(fixture(`${layout}.yaml`), layout);
      expect({ edits, homeless, changed }).toEqual({ edits: [], homeless: [], changed: [] });
    },
  );

  const async = ["enable_async_activation", "activation_offload_modules", "activation_offload_host_cache_limit_gb"];
  const asyncKeys = async.map((key) => `train.accelerator.offload_config.${key}`);
  const modelAsyncKeys = async.slice(0, 2).map((key) => `model.accelerator.offload_config.${key}`);
  const swap = "model.optimizer.swap_pin_memory";
  const processor = "model.processor_config";
  const [modelSwitch = ""] = modelAsyncKeys;

  /** Keys of each fixture that the older layouts do not have. */
  const newerKeys: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
    "train-scoped": { flat: ["data.height", "train.accelerator.fsdp_config.full_shard"] },
    "train-scoped+async": {
      flat: [...asyncKeys, "train.gradient_checkpointing.early_stop"],
      "train-scoped": asyncKeys,
    },
    "model-scoped": {
      flat: [...modelAsyncKeys, swap],
      "train-scoped": [...modelAsyncKeys, swap],
      "train-scoped+async": [swap],
    },
    "model-scoped+template": {
      flat: [processor, modelSwitch],
      "train-scoped": [processor, modelSwitch],
      "train-scoped+async": [processor],
      "model-scoped": [processor],
    },
  };
  const downwards = layouts.flatMap((from, place) => layouts.slice(0, place).map((to) => [from, to] as const));

  it.each(downwards)("refuses %s back to %s and lists the keys without a home", (from, to) => {
    const problem = refused(fixture(`${from}.yaml`), to);
    const { homeless } = problem as unknown as { homeless: { key: string; why: string }[] };
    expect(problem).toMatchObject({ code: "MIGRATION_HOMELESS", from, to });
    expect(homeless.map(({ key }) => key)).toEqual(newerKeys[from]?.[to]);
    for (const { key, why } of homeless) {
      expect(problem.message).toContain(key);
      expect(why).toMatch(/\.$/);
    }
  });

  it.each(downwards)("refuses %s back to %s also where every key has a home", (from, to) => {
    const text = `# offload-lens: layout=${from}\nmodel: {model_path: m}\ndata: {train_path: d}\ntrain: {max_steps: 5}\n`;
    expect(refused(text, to)).toMatchObject({ code: "MIGRATION_BACKWARDS", from, to, homeless: [] });
    expect(refused(text, to).message).toMatch(/is older than/);
  });

  it("has nothing to do in a file that belongs to every layout", () => {
    const text = "model: {model_path: m}\ndata: {train_path: d}\ntrain: {max_steps: 5}\n";
    for (const to of layouts) expect(migrated(text, to).edits).toEqual([]);
  });

  it("keeps targets and dialects apart, and other files out", () => {
    const verl = fixture("verl.yaml");
    expect(refused(verl, "flat").code).toBe("MIGRATION_OTHER_DIALECT");
    expect(refused(fixture("flat.yaml"), "verl").code).toBe("MIGRATION_OTHER_DIALECT");
    expect(refused("services:\n  web: {}\n", "flat").code).toBe("MIGRATION_NOT_CONFIG");
    expect(refused(verl, "verl", "_generated_ppo_veomni_trainer.yaml").code).toBe("MIGRATION_GENERATED");
    expect(migrationDialectOf(anyPath, verl)).toBe("verl");
    expect(migrationDialectOf(anyPath, fixture("flat.yaml"))).toBe("veomni");
    expect(migrationDialectOf("_generated_ppo_veomni_trainer.yaml", verl)).toBeUndefined();
    expect(migrationDialectOf(anyPath, "a: 1\n")).toBeUndefined();
  });

  it("takes the present layout from the caller, and from a pin before that", () => {
    const text = fixture("train-scoped+async.yaml");
    const outcome = migrateDocument(anyPath, text, "model-scoped", { layout: "train-scoped" });
    expect(outcome).toMatchObject({ ok: true, value: { from: "train-scoped" } });
    const pinned = migrateDocument(anyPath, `# offload-lens: layout=train-scoped+async\n${text}`, "model-scoped", {
      layout: "flat",
    });
    expect(pinned).toMatchObject({ ok: true, value: { from: "train-scoped+async" } });
    expect(pinned.ok && pinned.value.text.split("\n")[0]).toBe("# offload-lens: layout=model-scoped");
  });
});
