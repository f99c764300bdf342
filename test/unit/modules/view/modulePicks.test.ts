import { describe, expect, it } from "vitest";
import { ModulePicks } from "../../../../src/core/modules/view/modulePicks.js";
import {
  filterModules,
  initiallyOpen,
  type VisibleRow,
  visibleRows,
} from "../../../../src/core/modules/view/visibleRows.js";
import { mixedTree, outlineOf } from "./sampleTrees.js";

const outline = outlineOf(mixedTree);
const isContainer = (position: number) => mixedTree.containers.has(outline.nameAt(position));

function rowOf(label: string, filterText = ""): VisibleRow {
  const filter = filterModules(outline, filterText);
  const open = filter === undefined ? initiallyOpen(outline) : new Set<number>();
  const rows = visibleRows(outline, { isContainer, open, ...(filter === undefined ? {} : { filter }) });
  const found = rows.find((row) => row.label === label);
  if (found === undefined) throw new Error(`no line ${label}`);
  return found;
}

const namesOf = (picks: ModulePicks) => picks.rows().map((row) => mixedTree.modules[row]?.name);

describe("ModulePicks", () => {
  it("ticks and unticks one module, in the order of the model", () => {
    const picks = new ModulePicks(outline);
    picks.toggle(rowOf("head"));
    picks.toggle(rowOf("embed"));
    expect(namesOf(picks)).toEqual(["model.embed", "head"]);
    picks.toggle(rowOf("head"));
    expect(namesOf(picks)).toEqual(["model.embed"]);
  });

  it("ticks all members of a run, and completes a part", () => {
    const picks = new ModulePicks(outline, [10]);
    expect(picks.stateOf(rowOf("1–3"))).toBe("some");
    picks.toggle(rowOf("1–3"));
    expect(namesOf(picks)).toEqual(["model.layers.1", "model.layers.2", "model.layers.3"]);
    expect(picks.stateOf(rowOf("1–3"))).toBe("all");
    picks.toggle(rowOf("1–3"));
    expect(picks.count).toBe(0);
  });

  it("ticks the children of a container, never the container", () => {
    const picks = new ModulePicks(outline, [3]);
    expect(picks.stateOf(rowOf("layers"))).toBe("some");
    picks.toggle(rowOf("layers"));
    expect(namesOf(picks)).toEqual(["model.layers.0", "model.layers.1", "model.layers.2", "model.layers.3"]);
  });

  it("only unticks the model itself", () => {
    const model = rowOf("");
    const picks = new ModulePicks(outline);
    expect(picks.stateOf(model)).toBeUndefined();
    picks.toggle(model);
    expect(picks.count).toBe(0);
    const selected = new ModulePicks(outline, [0]);
    expect(selected.stateOf(model)).toBe("all");
    selected.toggle(model);
    expect(selected.count).toBe(0);
  });

  it("ticks only what the filter shows", () => {
    const picks = new ModulePicks(outline);
    picks.toggle(rowOf("1–3", "layers.2"));
    expect(namesOf(picks)).toEqual(["model.layers.2"]);
  });

  it("compares and copies", () => {
    const picks = new ModulePicks(outline, [4, 7]);
    const other = picks.copy();
    expect(other.equals(picks)).toBe(true);
    other.toggle(rowOf("head"));
    expect(other.equals(picks)).toBe(false);
    expect(picks.count).toBe(2);
  });
});
