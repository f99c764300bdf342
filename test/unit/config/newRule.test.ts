import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { renderSarif } from "../../../src/cli/report/checkSarif.js";
import { renderRuleCatalogue } from "../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../src/core/config/check.js";
import { LineIndex } from "../../../src/core/config/document/position.js";

/*
 * What README asks of a new rule is enough: a file with the rule and its line in the registry beside it. Here the lines are added to the
 * registries as they load, and everything else has to follow.
 */
vi.mock(import("../../../src/core/config/verl/rules/registry.js"), async (original) => {
  const { engineExample } = await import("../../../src/core/config/rules/example.js");
  const registry = await original();
  const fake: (typeof registry.blockRules)[number] = {
    code: "fake-seed",
    severities: ["hint"],
    explanation: "Seven is no seed for a fake.",
    example: engineExample("seed: 7"),
    check: ({ block, carrier }) =>
      block.mapping.entries
        .filter(({ key, value }) => key === "seed" && value.kind === "scalar" && value.value.type === "int")
        .map(({ span }) => ({ span, severity: "hint", message: `Found in ${carrier.kind}.` })),
  };
  return {
    ...registry,
    blockRules: [...registry.blockRules, fake],
    ruleFacts: [...registry.ruleFacts, fake],
  };
});

vi.mock(import("../../../src/core/config/veomni/rules/registry.js"), async (original) => {
  const { trainingExample } = await import("../../../src/core/config/veomni/rules/trainingExample.js");
  const registry = await original();
  const fake: (typeof registry.trainingRules)[number] = {
    code: "fake-steps",
    severities: ["information"],
    explanation: "Ten steps are too few for a fake.",
    example: trainingExample({}),
    check: ({ written }) =>
      written
        .filter(({ path }) => path === "train.max_steps")
        .map(({ entry }) => ({ span: entry.span, severity: "information", message: "Found." })),
  };
  return { ...registry, trainingRules: [...registry.trainingRules, fake] };
});

const engine = "_target_: verl.workers.config.VeOmniEngineConfig\nseed: 7\n";
const script = "python3 -m verl.trainer.main_ppo model_engine=veomni actor_rollout_ref.actor.veomni.seed=7\n";
const training = "model: {model_path: a}\ndata: {train_path: b}\ntrain: {max_steps: 10}\n";

function found(path: string, text: string) {
  return (checkDocument(path, text)?.diagnostics ?? []).filter(({ code }) => code.startsWith("fake-"));
}

describe("a rule that is new in its registry", () => {
  it("is heard on YAML and on command lines, and told which of them it reads", () => {
    expect(found("e.yaml", engine)).toMatchObject([{ code: "fake-seed", message: "Found in yaml.", fixes: [] }]);
    expect(found("run.sh", script)).toMatchObject([{ code: "fake-seed", message: "Found in override." }]);
    expect(found("t.yaml", training)).toMatchObject([{ code: "fake-steps", severity: "information" }]);
    expect(found("e.yaml", engine.replace("7", "x"))).toEqual([]);
  });

  it("stands in SARIF with its explanation", () => {
    const [diagnostic] = found("e.yaml", engine);
    if (diagnostic === undefined) throw new Error("not found");
    const { line, column } = new LineIndex(engine).positionAt(diagnostic.span.start);
    const { severity, code, message } = diagnostic;
    const place = { line, column, endLine: line, endColumn: column + 1 };
    const log = JSON.stringify(
      renderSarif([{ file: "e.yaml", dialect: "verl", severity, code, message, fixes: [], ...place }]),
    );
    expect(log).toContain('"fake-seed"');
    expect(log).toContain("Seven is no seed for a fake.");
  });

  it("stands in the catalogue with its example and what it says there", () => {
    const catalogue = renderRuleCatalogue([], []);
    expect(catalogue).toContain("### fake-seed");
    expect(catalogue).toContain("Seven is no seed for a fake.");
    expect(catalogue).toContain("> Found in yaml.");
    expect(catalogue).toContain("### fake-steps");
  });
});

describe("the registries of rules", () => {
  it.each(["verl", "veomni"])("%s: no rule lies beside it unlisted, and each has a test", async (framework) => {
    const folder = new URL(`../../../src/core/config/${framework}/rules/`, import.meta.url);
    const { blockRules = [], trainingRules = [] } = await vi.importActual<
      Record<string, readonly { readonly code: string }[]>
    >(`../../../src/core/config/${framework}/rules/registry.ts`);
    const listed = new Set([...blockRules, ...trainingRules]);
    const names = readdirSync(fileURLToPath(folder)).filter((name) => name !== "registry.ts");
    const rules: string[] = [];
    for (const name of names) {
      const exported = Object.values(await import(new URL(name, folder).href));
      for (const each of exported)
        if (isRule(each)) rules.push(listed.has(each) ? "listed" : `${name} is not listed in registry.ts`);
      if (
        exported.some(isRule) &&
        !existsSync(new URL(`./${framework}/rules/${name.replace(/ts$/, "test.ts")}`, import.meta.url))
      )
        rules.push(`${name} has no test`);
    }
    expect(rules.length).toBeGreaterThan(30);
    expect(rules.filter((each) => each !== "listed")).toEqual([]);
  });
});

function isRule(value: unknown): value is { readonly code: string } {
  return typeof value === "object" && value !== null && "code" in value && "check" in value;
}
