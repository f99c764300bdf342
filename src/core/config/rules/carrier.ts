import type { MappingEntry } from "../document/configNode.js";

/*
 * How a configuration reaches its framework. A rule is told in its context, and what it says, and how bad that is, follows from it:
 * the same key is ignored in one carrier and refused in another.
 */

/** A file that OmegaConf or PyYAML loads. */
export interface YamlCarrier {
  readonly kind: "yaml";
}

/** The overrides of one call, which Hydra puts into the tree that it composes. */
export interface OverrideCarrier {
  readonly kind: "override";
  /** No other file sets what the call leaves out. */
  readonly isWholeCall: boolean;
  /** How the key of an entry arrives; `undefined` for keys inside of a value. */
  arrivalOf(entry: MappingEntry): OverrideArrival | undefined;
}

/** One override on its way to Hydra. */
export interface OverrideArrival {
  /** Neither added with `+` nor with `++`: the key must exist. */
  readonly isPlainSet: boolean;
  /** The call has this value, whichever branch of the script runs. */
  readonly isCertain: boolean;
}

/** The flags of one call, which an argument parser converts and checks before anything starts. */
export interface FlagCarrier {
  readonly kind: "flag";
}

export const yamlCarrier: YamlCarrier = { kind: "yaml" };
