import type { RecognisedFamily } from "../../../modules/families/familyKernels.js";
import { entryOf, type MappingEntry } from "../../document/configNode.js";
import { followReference } from "../../document/interpolation.js";
import { familyAt } from "../../rules/modelKernels.js";
import type { BlockContext } from "../blockRule.js";

/** The family that a block trains, with the entry that names the model; nothing where the file names none that is known. */
export function blockFamily(
  context: BlockContext,
): { readonly family: RecognisedFamily; readonly entry: MappingEntry } | undefined {
  const { block, document, options } = context;
  const entry = entryOf(block.model?.mapping, "path");
  const family = familyAt(followReference(document.root, entry?.value) ?? entry?.value, options?.models);
  return family === undefined || entry === undefined ? undefined : { family, entry };
}
