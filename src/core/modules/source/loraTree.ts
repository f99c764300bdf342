import type { ModuleTree } from "../tree.js";

/** Classes that PEFT, as VeOmni calls it, puts around the model. */
const wrapper = [
  { name: "", type: "PeftModel" },
  { name: "base_model", type: "LoraModel" },
];
const prefix = "base_model.model";

/**
 * The tree after VeOmni has wrapped the model for LoRA: every name begins with `base_model.model.`. The adapters inside the linear
 * layers depend on the LoRA configuration and are not listed.
 */
export function withLora(tree: ModuleTree): ModuleTree {
  const moved = (name: string) => (name === "" ? prefix : `${prefix}.${name}`);
  const movedSet = (names: ReadonlySet<string>) => new Set([...names].map(moved));
  const movedKeys = <V>(map: ReadonlyMap<string, V>) => new Map([...map].map(([name, value]) => [moved(name), value]));
  return {
    ...tree,
    exact: false,
    uncertain: [...tree.uncertain, "The adapters that LoRA adds inside the layers are not listed."],
    modules: [...wrapper, ...tree.modules.map((module) => ({ ...module, name: moved(module.name) }))],
    containers: movedSet(tree.containers),
    moduleDicts: movedSet(tree.moduleDicts),
    ...(tree.aliases === undefined
      ? {}
      : { aliases: new Map([...tree.aliases].map(([alias, name]) => [moved(alias), moved(name)])) }),
    ...(tree.noneAttributes === undefined ? {} : { noneAttributes: movedSet(tree.noneAttributes) }),
    ...(tree.sizedAttributes === undefined ? {} : { sizedAttributes: movedKeys(tree.sizedAttributes) }),
    ...(tree.containerLengths === undefined ? {} : { containerLengths: movedKeys(tree.containerLengths) }),
  };
}
