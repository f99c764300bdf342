import type { ModuleRow, ModuleTree } from "../../../../src/core/modules/tree.js";
import { ModuleOutline } from "../../../../src/core/modules/view/moduleOutline.js";
import type { VisibleRow } from "../../../../src/core/modules/view/visibleRows.js";

/** A tree of these names; a class is written behind a colon. */
export function treeOf(...written: readonly string[]): ModuleTree {
  const modules = written.map((text): ModuleRow => {
    const [name = "", type] = text.split(":");
    return type === undefined ? { name } : { name, type };
  });
  const containers = new Set(modules.filter(({ type }) => type === "ModuleList").map(({ name }) => name));
  const plain = { source: "tree-file", exact: true, uncertain: [], moduleDicts: new Set<string>() } as const;
  return { ...plain, modules, containers };
}

export function outlineOf(tree: ModuleTree): ModuleOutline {
  return new ModuleOutline(
    tree.modules.map(({ name }) => name),
    (row) => tree.modules[row]?.type,
  );
}

/** `+` open, `-` closed, with an indentation by level. */
export function drawRows(rows: readonly VisibleRow[]): string[] {
  return rows.map(
    ({ level, canOpen, isOpen, label, type, run }) =>
      `${"  ".repeat(level - 1)}${canOpen ? (isOpen ? "+" : "-") : " "} ${label}${type === undefined ? "" : ` ${type}`}${run === undefined ? "" : ` ×${run.count}`}`,
  );
}

const layer = (at: number, feedForward: string) => [
  `model.layers.${at}:Layer`,
  `model.layers.${at}.attn:Attention`,
  `model.layers.${at}.mlp:${feedForward}`,
];

/** One dense layer and three sparse ones. */
export const mixedTree = treeOf(
  ":Model",
  "model:Inner",
  "model.embed:Embedding",
  "model.layers:ModuleList",
  ...layer(0, "Dense"),
  ...[1, 2, 3].flatMap((at) => layer(at, "Sparse")),
  "model.norm:Norm",
  "head:Linear",
);
