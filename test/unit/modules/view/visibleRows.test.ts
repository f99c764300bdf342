import { describe, expect, it } from "vitest";
import {
  filterModules,
  initiallyOpen,
  matchesOf,
  type RowOptions,
  visibleRows,
} from "../../../../src/core/modules/view/visibleRows.js";
import { recordedTree } from "../recordedTrees.js";
import { drawRows, mixedTree, outlineOf } from "./sampleTrees.js";

const outline = outlineOf(mixedTree);
const isContainer = (position: number) => mixedTree.containers.has(outline.nameAt(position));
const options = (open: Iterable<number>): RowOptions => ({ isContainer, open: new Set(open) });
const filtered = (text: string, open: Iterable<number> = []) => {
  const filter = filterModules(outline, text);
  return drawRows(visibleRows(outline, { ...options(open), ...(filter === undefined ? {} : { filter }) }));
};

describe("visibleRows", () => {
  it("opens down to the layers at first, with runs folded", () => {
    expect(drawRows(visibleRows(outline, options(initiallyOpen(outline))))).toEqual([
      "+  Model",
      "  + model Inner",
      "      embed Embedding",
      "    + layers ModuleList",
      "      - 0 Layer",
      "      - 1–3 Layer ×3",
      "      norm Norm",
      "    head Linear",
    ]);
  });

  it("opens a run to its members", () => {
    const rows = visibleRows(outline, options([...initiallyOpen(outline), -1 - 7]));
    expect(drawRows(rows).slice(4, 9)).toEqual([
      "      - 0 Layer",
      "      + 1–3 Layer ×3",
      "        - 1 Layer",
      "        - 2 Layer",
      "        - 3 Layer",
    ]);
    expect(rows[7]).toMatchObject({ setSize: 3, placeInSet: 2, targets: [10] });
  });

  it("draws a container with equal children and their run as one line", () => {
    const { tree } = recordedTree("qwen3");
    const whole = outlineOf(tree);
    const rows = visibleRows(whole, {
      isContainer: (position) => tree.containers.has(whole.nameAt(position)),
      open: initiallyOpen(whole),
    });
    expect(drawRows(rows)).toContain("    - layers 0–31 Qwen3DecoderLayer ×32");
    expect(rows.find(({ run }) => run !== undefined)?.targets).toHaveLength(32);
  });

  it("shows what a filter finds with the way to it, and runs folded where all members have it", () => {
    expect(filtered("attn")).toEqual([
      "+  Model",
      "  + model Inner",
      "    + layers ModuleList",
      "      + 0 Layer",
      "          attn Attention",
      "      - 1–3 Layer ×3",
    ]);
  });

  it("opens a run by itself where only some members have it", () => {
    expect(filtered("LAYERS.2 mlp")).toEqual([
      "+  Model",
      "  + model Inner",
      "    + layers ModuleList",
      "      + 1–3 Layer ×3",
      "        + 2 Layer",
      "            mlp Sparse",
    ]);
  });

  it("lets the user close what the filter opened, and counts what is behind a line", () => {
    expect(filtered("attn", [0])).toEqual(["-  Model"]);
    const filter = filterModules(outline, "attn");
    const [root] = visibleRows(outline, options([]));
    expect(filter && root && matchesOf(outline, filter, root)).toBe(4);
    expect(filtered("nothing like it")).toEqual([]);
    expect(filterModules(outline, "  ")).toBeUndefined();
  });
});
