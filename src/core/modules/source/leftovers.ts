import type { NameShape, TensorNames } from "./tensorNames.js";

/**
 * Says of a name's number whether it is a tensor of the model. None are buffers that older versions saved, and the parts into which
 * quantisation splits one parameter (`….weight.absmax`): a name that has the whole name of another as its beginning.
 */
export function loadedTensors(names: TensorNames): (name: number) => boolean {
  const leaves = leavesOf(names.shapes);
  const verdicts = names.shapes.map((shape) => verdictOf(shape, leaves));
  return (name) => {
    const verdict = verdicts[names.shapeOf(name)];
    return verdict === "loaded" || (verdict === "maybe a part" && !beginsWithAnother(names, names.textOf(name)));
  };
}

/** The names without leftovers. */
export function withoutLeftovers(names: TensorNames): readonly string[] {
  const isLoaded = loadedTensors(names);
  const found: string[] = [];
  for (let name = 0; name < names.size; name += 1) if (isLoaded(name)) found.push(names.textOf(name));
  return found;
}

/** Only a name that holds the last segment of some name in its middle can be a part of another. */
function verdictOf(shape: NameShape, leaves: ReadonlySet<string>): "loaded" | "leftover" | "maybe a part" {
  if (/(?:rotary_emb|rotary_pos_emb|rotary)\.inv_freq$|\.masked_bias$/.test(shape)) return "leftover";
  const segments = shape.split(".");
  return segments.some((segment, at) => at < segments.length - 1 && leaves.has(segment)) ? "maybe a part" : "loaded";
}

/** The last segments of all shapes: `weight`, `bias`, … */
function leavesOf(shapes: readonly NameShape[]): ReadonlySet<string> {
  const leaves = new Set<string>();
  for (const shape of shapes) {
    const leaf = shape.slice(shape.lastIndexOf(".") + 1);
    leaves.add(leaf);
    // In the middle of a shape, every number is 0.
    if (/^\d+$/.test(leaf)) leaves.add("0");
  }
  return leaves;
}

function beginsWithAnother(names: TensorNames, name: string): boolean {
  for (let end = name.lastIndexOf("."); end > 0; end = name.lastIndexOf(".", end - 1)) {
    if (names.has(name.slice(0, end))) return true;
  }
  return false;
}
