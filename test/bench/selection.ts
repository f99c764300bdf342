import { selectModules } from "../../src/core/modules/selection/select.js";
import type { ModuleRow, ModuleTree } from "../../src/core/modules/tree.js";
import type { Comparison } from "./comparison.js";

const layers = 130;
const experts = 125;
const projections = ["gate_proj", "up_proj", "down_proj"];

/** A mixture-of-experts model with about 65,000 modules. */
function largeTree(): ModuleTree {
  const modules: ModuleRow[] = [{ name: "" }, { name: "model" }, { name: "model.layers" }];
  const containers = new Set(["model.layers"]);
  for (let layer = 0; layer < layers; layer += 1) {
    const base = `model.layers.${layer}`;
    containers.add(`${base}.mlp.experts`);
    for (const name of ["", ".self_attn", ".mlp", ".mlp.gate", ".mlp.experts"]) modules.push({ name: base + name });
    for (let expert = 0; expert < experts; expert += 1) {
      const unit = `${base}.mlp.experts.${expert}`;
      modules.push({ name: unit }, ...projections.map((projection) => ({ name: `${unit}.${projection}` })));
    }
  }
  return { source: "tree-file", exact: true, uncertain: [], modules, containers, moduleDicts: new Set() };
}

function fiftyPatterns(): string[] {
  const shapes = ["model.layers.N.*", "model.layers.N.mlp.experts.1*", "model.layers.*.mlp.experts.N.up_proj"];
  return Array.from({ length: 50 }, (_, at) => (shapes[at % shapes.length] ?? "").replace("N", String(at)));
}

/** What a first attempt would do: one regular expression per pattern, tried on every name. */
function selectByExpressions(tree: ModuleTree, patterns: readonly string[]): Set<string> {
  const selected = new Set<string>();
  for (const pattern of patterns) {
    const expression = new RegExp(`^${pattern.replace(/[.]/g, "\\.").replace(/[*]/g, "[^.]*")}$`);
    for (const { name } of tree.modules) if (expression.test(name)) selected.add(name);
  }
  return selected;
}

export function selection(): Comparison {
  const tree = largeTree();
  const patterns = fiftyPatterns();
  const count = selectModules(tree, patterns).selected.length;
  const expected = selectByExpressions(tree, patterns).size;
  if (count !== expected) throw new Error(`the two ways select ${count} and ${expected} modules`);
  return {
    ours: "selection with notes",
    reference: "a regular expression per pattern, tried on every name",
    input: `${tree.modules.length.toLocaleString("en")} modules, ${patterns.length} patterns`,
    run: () => selectModules(tree, patterns),
    runReference: () => selectByExpressions(tree, patterns),
  };
}
