const MOST_MODULE_NAME = 300;

/** `mlp.down_proj` of `model.layers.3.mlp.down_proj`: inside a layer's boxes the rest only repeats the layer band. */
export function shortName(name: string, layer: number): string {
  // A name can be a megabyte long; the pattern is for names of modules.
  if (layer < 0 || name.length > MOST_MODULE_NAME) return name;
  return name.replace(/^(.*\s)?[\w.]*?\.\d+\.(?=\w)/, "$1");
}
