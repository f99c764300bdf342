// @slow: large inputs or many cases.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { migrateLayout } from "../../../../src/core/config/migrate/migrateLayout.js";
import { trainingFields } from "../../../../src/core/config/veomni/fields/fieldTable.js";
import type { TrainingField } from "../../../../src/core/config/veomni/fields/trainingField.js";
import { type LayoutId, layoutIds } from "../../../../src/core/config/veomni/layout.js";
import { convertPath } from "../../../../src/core/config/veomni/layouts.js";
import { asTrainingFile } from "../ofText.js";
import { commentsOf, fixture, loaded, migrated, refused, valueAt } from "./migratedText.js";

/** One key of a generated file. */
interface Written {
  readonly path: string;
  readonly value: string;
  readonly comment: string;
  readonly above: string;
  readonly blank: boolean;
}

interface Style {
  readonly step: number;
  readonly lineBreak: string;
  readonly flowBlocks: boolean;
  readonly finalBreak: boolean;
}

const topBlocks = ["model", "data", "train"];

function rowsOf(layout: LayoutId): readonly TrainingField[] {
  return trainingFields.filter(({ paths, type }) => {
    const path = paths[layout];
    return path !== undefined && !path.includes("<") && path.includes(".") && type !== "map";
  });
}

function valueTexts(field: TrainingField): readonly string[] {
  if (field.type === "bool") return ["true", "no", "False"];
  if (field.type === "int") return ["3", "1_000", "0x10"];
  if (field.type === "float") return ["0.5", "1.0e-5", ".inf"];
  if (field.type === "map(free)") return ["{a: 1, b: {c: [2]}}", "{}"];
  if (field.type.startsWith("list")) return ["[1, 2]", "[]", '["a.{*}", b]'];
  return ["plain text", "'single ''quoted'''", '"double \\u00e9"', "~", "|-\n- not a list\n# no comment"];
}

function fileArbitrary(from: LayoutId): fc.Arbitrary<{ written: readonly Written[]; style: Style }> {
  const rows = rowsOf(from);
  const key = fc.integer({ min: 0, max: rows.length - 1 }).chain((place) => {
    const field = rows[place];
    const path = field?.paths[from] ?? "";
    return fc.record({
      path: fc.constant(path),
      value: fc.constantFrom(...(field === undefined ? ["1"] : valueTexts(field))),
      comment: fc.constantFrom("", "", `# behind ${place}`),
      above: fc.constantFrom("", "", `# above ${place}`),
      blank: fc.boolean(),
    });
  });
  return fc.record({
    written: fc.uniqueArray(key, { minLength: 1, maxLength: 40, selector: ({ path }) => path }),
    style: fc.record({
      step: fc.constantFrom(2, 4),
      lineBreak: fc.constantFrom("\n", "\r\n"),
      flowBlocks: fc.boolean(),
      finalBreak: fc.boolean(),
    }),
  });
}

/** Writes the keys as a file of nested blocks, or, for blocks without comments, in braces. */
function render(from: LayoutId, written: readonly Written[], style: Style): string {
  const lines = [`# offload-lens: layout=${from}`];
  for (const top of topBlocks) {
    const inside = written.filter(({ path }) => path.startsWith(`${top}.`));
    lines.push(inside.length === 0 ? `${top}: {}` : `${top}:`);
    lines.push(...blockLines(inside, 1, style));
  }
  return lines.join(style.lineBreak) + (style.finalBreak ? style.lineBreak : "");
}

function blockLines(written: readonly Written[], depth: number, style: Style): readonly string[] {
  const pad = " ".repeat(depth * style.step);
  const names = [...new Set(written.map(({ path }) => path.split(".")[depth] ?? ""))];
  return names.flatMap((name) => {
    const inside = written.filter(({ path }) => path.split(".")[depth] === name);
    const [only] = inside;
    if (only !== undefined && only.path.split(".").length === depth + 1) return leafLines(name, only, pad, style);
    const isPlain = inside.every((each) => each.comment + each.above === "" && !each.value.includes("\n"));
    if (style.flowBlocks && isPlain) return [`${pad}${name}: ${flowText(inside, depth + 1)}`];
    return [`${pad}${name}:`, ...blockLines(inside, depth + 1, style)];
  });
}

function leafLines(
  name: string,
  { value, comment, above, blank }: Written,
  pad: string,
  style: Style,
): readonly string[] {
  const [first = "", ...rest] = value.split("\n");
  const inner = pad + " ".repeat(style.step);
  return [
    ...(blank ? [""] : []),
    ...(above === "" ? [] : [pad + above]),
    `${pad}${name}: ${first}${comment === "" ? "" : ` ${comment}`}`,
    ...rest.map((line) => inner + line),
  ];
}

function flowText(written: readonly Written[], depth: number): string {
  const names = [...new Set(written.map(({ path }) => path.split(".")[depth] ?? ""))];
  const members = names.map((name) => {
    const inside = written.filter(({ path }) => path.split(".")[depth] === name);
    const [only] = inside;
    const isLeaf = only !== undefined && only.path.split(".").length === depth + 1;
    return `${name}: ${isLeaf ? only.value : flowText(inside, depth + 1)}`;
  });
  return `{${members.join(", ")}}`;
}

const pairs = layoutIds.flatMap((from) => layoutIds.map((to) => [from, to] as const));

describe("migrateLayout on generated files", () => {
  it.each(pairs)("keeps values and comments from %s to %s, or refuses and lists what would be lost", (from, to) => {
    const isBackwards = layoutIds.indexOf(to) < layoutIds.indexOf(from);
    fc.assert(
      fc.property(fileArbitrary(from), ({ written, style }) => {
        const text = render(from, written, style);
        const places = written.map((each) => ({ ...each, place: convertPath(each.path, from, to) }));
        const homeless = places.flatMap(({ path, place }) => ("path" in place ? [] : [path])).sort();
        if (isBackwards) {
          const problem = refused(text, to) as unknown as { code: string; homeless: { key: string }[] };
          expect(problem.code).toBe(homeless.length === 0 ? "MIGRATION_BACKWARDS" : "MIGRATION_HOMELESS");
          expect(problem.homeless.map(({ key }) => key).sort()).toEqual(homeless);
          return;
        }
        const migration = migrated(text, to);
        expect(migration.homeless.map(({ key }) => key).sort()).toEqual(homeless);
        const before = loaded(text);
        const after = loaded(migration.text);
        for (const { path, place } of places) {
          if ("path" in place)
            expect([place.path, valueAt(after, place.path)]).toEqual([place.path, valueAt(before, path)]);
        }
        for (const comment of written.flatMap((each) => [each.comment, each.above]).filter((each) => each !== "")) {
          expect(migration.text.split(comment).length).toBe(text.split(comment).length);
        }
        expect(migration.text.split("\n").filter((line) => line.trim() === "").length).toBe(
          text.split("\n").filter((line) => line.trim() === "").length,
        );
        expect(migration.text.includes("\r\n")).toBe(style.lineBreak === "\r\n");
        expect(migration.text.endsWith("\n")).toBe(style.finalBreak);
        expect(migrated(migration.text, to).edits).toEqual([]);
      }),
      { seed: 20261130, numRuns: 40 },
    );
  });
});

describe("migrateLayout", () => {
  it("keeps anchors and aliases where the order allows it", () => {
    const text = [
      "model:",
      "  model_path: &base ./m",
      "data: {train_path: d}",
      "train:",
      "  checkpoint: &saving",
      "    save_steps: 5",
      "  optimizer: {lr: 1.0e-5}",
      "  accelerator:",
      "    offload_config: &off {enable_activation: true}",
      "notes: {path: *base, saving: *saving, offload: *off}",
      "",
    ].join("\n");
    const { text: converted } = migrated(text, "model-scoped");
    expect(converted).toContain("    offload_config: &off {enable_activation: true}\n");
    expect(loaded(converted)).toMatchObject({
      model: { optimizer: { lr: 1e-5 }, accelerator: { offload_config: { enable_activation: true } } },
      notes: { path: "./m", saving: { save_steps: 5 }, offload: { enable_activation: true } },
    });
  });

  it("turns keys that no layout knows into comments where the parser would stop at them", () => {
    const text = "model: {}\ndata: {train_path: d}\ntrain:\n  rmpad: false # old\n  lr: 0.1\n  max_steps: 5\n";
    const { text: converted, homeless } = migrated(text, "model-scoped");
    expect(homeless.map(({ key }) => key)).toEqual(["train.rmpad"]);
    expect(converted).toContain("  # rmpad: false # old\n");
    expect(migrated(text, "train-scoped").text).toContain("  rmpad: false # old\n");
    const shared = text.replace("rmpad: false", "rmpad: &off false").replace("max_steps: 5", "dyn_bsz: *off");
    expect(migrated(shared, "model-scoped").text).toContain("  rmpad: &off false # old\n");
  });

  it("refuses where an alias would come before its anchor, or a merge key brings old keys in", () => {
    const alias = "data: {train_path: &d d}\ntrain:\n  wandb: {name: *d}\n  optimizer: {type: *d}\nmodel: {}\n";
    expect(migrateLayout(asTrainingFile(alias), "model-scoped")).toMatchObject({ ok: true });
    const late = alias.replace("data: {train_path: &d d}\n", "").replace("name: *d", "name: &d d");
    const outcome = migrateLayout(
      asTrainingFile(`model: {}\ndata: {train_path: d}\n${late.replace("model: {}\n", "")}`),
      "model-scoped",
    );
    expect(outcome).toMatchObject({ ok: false, problem: { code: "MIGRATION_UNSAFE" } });
    const merge = "base: &b {lr: 1.0e-5}\nmodel: {}\ndata: {train_path: d}\ntrain:\n  <<: *b\n  save_steps: 2\n";
    expect(migrateLayout(asTrainingFile(merge), "train-scoped")).toMatchObject({
      ok: false,
      problem: { code: "MIGRATION_UNSAFE", cause: expect.stringContaining("train.<<") },
    });
  });

  it("moves blocks that hold a merge key as they are", () => {
    const text =
      "base: &b {lr: 1.0e-5}\nmodel:\n  model_path: m\ndata: {train_path: d}\ntrain:\n  optimizer:\n    # shared\n    <<: *b\n    type: adamw\n";
    const { text: converted } = migrated(text, "model-scoped");
    expect(converted).toContain("  optimizer:\n    # shared\n    <<: *b\n    type: adamw\n");
    expect(loaded(converted)).toMatchObject({ model: { optimizer: { lr: 1e-5, type: "adamw" } }, train: {} });
  });

  it("names both keys when the file holds a setting twice", () => {
    const text = "model: {}\ndata: {train_path: d}\ntrain:\n  lr: 1.0e-5\n  optimizer: {lr: 2.0e-5}\n";
    const outcome = migrateLayout(asTrainingFile(text), "train-scoped");
    expect(outcome).toMatchObject({ ok: false, problem: { code: "MIGRATION_CONFLICT" } });
    expect(!outcome.ok && outcome.problem.message).toContain("train.optimizer.lr");
  });

  it.each([
    ["train.optimizer", "  optimizer:\n    lr: 3.0e-4\n    type: adamw\n  optimizer:\n    weight_decay: 0.01\n"],
    ["train.optimizer", "  optimizer: {lr: 3.0e-4}\n  optimizer:\n    weight_decay: 0.01\n"],
    ["train.ulysses_parallel_size", "  ulysses_parallel_size: 2\n  max_steps: 3\n  ulysses_parallel_size: 4\n"],
    ["train.init_device", "  init_device: meta\n  max_steps: 3\n  init_device: cpu\n"],
  ])("does not join two blocks of one key, of which only the last counts: %s", (key, lines) => {
    const text = `model: {}\ndata: {train_path: d}\ntrain:\n${lines}`;
    const outcome = migrateLayout(asTrainingFile(text), "model-scoped");
    expect(outcome).toMatchObject({ ok: false, problem: { code: "MIGRATION_CONFLICT" } });
    expect(!outcome.ok && outcome.problem.message).toContain(`${key} stands twice`);
  });

  it("leaves a key alone that stands twice where nothing changes", () => {
    const lines = "  dataloader: {num_workers: 1}\n  dataloader:\n    type: native\n";
    const text = `model: {}\ndata:\n  train_path: d\n${lines}train:\n  optimizer: {lr: 1.0, lr: 2.0}\n`;
    const converted = migrated(text, "model-scoped").text;
    expect(converted).toBe(`model:\n  optimizer: {lr: 1.0, lr: 2.0}\ndata:\n  train_path: d\n${lines}train: {}\n`);
  });

  it("joins what stands at the places of two layouts when no key is there twice", () => {
    const text = [
      "model:",
      "  accelerator: # new",
      "    ulysses_size: 2",
      "data: {train_path: d}",
      "train:",
      "  # old half",
      "  accelerator: # old",
      "    dp_shard_size: 4",
      "  max_steps: 5",
      "",
    ].join("\n");
    expect(migrated(text, "model-scoped+template").text).toBe(
      [
        "model:",
        "  accelerator: # new",
        "    ulysses_size: 2",
        "    # old half",
        "    # old",
        "    dp_shard_size: 4",
        "data: {train_path: d}",
        "train:",
        "  max_steps: 5",
        "",
      ].join("\n"),
    );
  });

  it("takes a file in braces apart only where something moves", () => {
    const json = '{"model": {"model_path": "m"}, "data": {"train_path": "d"}, "train": {"lr": 0.1, "max_steps": 5}}\n';
    expect(migrated(json, "train-scoped").text).toBe(
      '"model": {"model_path": "m"}\n"data": {"train_path": "d"}\n"train":\n  optimizer:\n    "lr": 0.1\n  "max_steps": 5\n',
    );
    const done = json.replace('"lr": 0.1, ', '"optimizer": {}, ');
    expect(migrated(done, "train-scoped").edits).toEqual([]);
  });

  it("keeps comments of a mapping in braces that is taken apart", () => {
    const text =
      "model: {}\ndata: {train_path: d}\ntrain: { # all\n  lr: 0.1, # peak\n  # steps\n  max_steps: 5\n  } # end\n";
    const { text: converted } = migrated(text, "model-scoped");
    expect(commentsOf(converted)).toEqual(commentsOf(text));
    expect(loaded(converted)).toEqual({
      model: { optimizer: { lr: 0.1 } },
      data: { train_path: "d" },
      train: { max_steps: 5 },
    });
  });

  it("corrects the values that went with FSDP1, and says so", () => {
    const migration = migrated(fixture("flat-fsdp1.yaml"), "model-scoped");
    expect(migration.text).toBe(fixture("expected/flat-fsdp1.to.model-scoped.yaml"));
    expect(migration.changed).toEqual([
      { key: "train.data_parallel_mode", was: "fsdp1", now: "fsdp2", why: "fsdp1 went with VeOmni #756." },
      { key: "train.init_device", was: "cuda", now: "meta", why: "fsdp2 requires meta." },
    ]);
  });

  it("refuses broken YAML with the place", () => {
    expect(migrateLayout(asTrainingFile("model: {\n"), "flat")).toMatchObject({
      ok: false,
      problem: { code: "CONFIG_BROKEN", message: expect.stringMatching(/line \d+, column \d+/) },
    });
    expect(migrateLayout(asTrainingFile("- model\n"), "flat")).toMatchObject({
      ok: false,
      problem: { code: "MIGRATION_UNSAFE" },
    });
    expect(migrateLayout(asTrainingFile(""), "flat")).toMatchObject({
      ok: false,
      problem: { code: "MIGRATION_UNSAFE" },
    });
  });
});
