import { TensorNames } from "./tensorNames.js";

/** Segments that FSDP, activation checkpointing and `torch.compile` put into the names of what they wrap. */
const wrapperSegments = new Set(["_fsdp_wrapped_module", "_checkpoint_wrapped_module", "_orig_mod"]);
/** The attribute under which data-parallel wrappers hold the whole model. */
const outerWrapper = "module.";

/** Tensor names without the wrappers of a training run. */
export interface UnwrappedNames {
  readonly names: TensorNames;
  /** The wrappers that were left out, without the dots. */
  readonly wrappers: readonly string[];
}

/**
 * Leaves out what wrappers of a training run added to the names of a saved model: patterns are applied before the model is wrapped.
 * `module.` counts as a wrapper only where every name begins with it.
 */
export function withoutWrappers(names: TensorNames): UnwrappedNames {
  const inside = names.shapes.flatMap((shape) => shape.split(".").filter((segment) => wrapperSegments.has(segment)));
  const isOutside = names.size > 0 && names.shapes.every((shape) => unwrapped(shape).startsWith(outerWrapper));
  if (inside.length === 0 && !isOutside) return { names, wrappers: [] };
  const plain = (name: string) => {
    const text = unwrapped(name);
    return isOutside ? text.slice(outerWrapper.length) : text;
  };
  const wrappers = [...new Set([...(isOutside ? [outerWrapper.slice(0, -1)] : []), ...inside])];
  return { names: TensorNames.of(Array.from(names, plain)), wrappers };
}

function unwrapped(name: string): string {
  const segments = name.split(".");
  return segments.filter((segment, at) => at === segments.length - 1 || !wrapperSegments.has(segment)).join(".");
}
