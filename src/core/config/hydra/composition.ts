import { readInterpolations } from "./interpolation.js";
import type { HydraOverride } from "./parse.js";
import type { HydraError, HydraValue } from "./value.js";

/**
 * What refuses an override after the grammar accepted it: a sweep in a single run (Hydra asks for `--multirun`), an
 * element of a list addressed by index, an interpolation that OmegaConf cannot read. Run with Hydra 1.3.2 and OmegaConf
 * 2.2.2. Whether the key exists is for the rules to say.
 */
export function compositionError(override: HydraOverride, multirun: boolean): HydraError | undefined {
  return indexedKey(override) ?? sweepInSingleRun(override, multirun) ?? brokenInterpolation(override.value);
}

function indexedKey({ key }: HydraOverride): HydraError | undefined {
  if (key.path !== "" && !/(^|\.)\d[\d_]*(\.|$)/.test(key.path)) return undefined;
  const code = key.path === "" ? "KEY_MALFORMED" : "LIST_INDEX_IN_KEY";
  const message =
    key.path === ""
      ? "There is no key before the equals sign."
      : "An element of a list cannot be set by its index; give the whole list.";
  return { code, message, span: key.span };
}

function sweepInSingleRun({ value }: HydraOverride, multirun: boolean): HydraError | undefined {
  if (multirun || value === undefined) return undefined;
  const sweeps = value.kind === "sweep" || (value.kind === "function" && value.role === "sweep");
  if (!sweeps) return undefined;
  const message = "This is a sweep, which needs --multirun; put brackets around the values to give a list.";
  return { code: "SWEEP_IN_SINGLE_RUN", message, span: value.span };
}

function brokenInterpolation(value: HydraValue | undefined): HydraError | undefined {
  switch (value?.kind) {
    case "string": {
      const { error } = readInterpolations(value.text);
      return error && { ...error, span: value.span };
    }
    case "list":
      return firstDefined(value.items, brokenInterpolation);
    case "dict":
      return firstDefined(value.entries, (entry) => brokenInterpolation(entry.value));
    default:
      return undefined;
  }
}

function firstDefined<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
