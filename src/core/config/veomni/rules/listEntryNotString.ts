import { entryFindings } from "../../patterns/listEntryNotString.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** An entry of a list of texts that is none. */
export const listEntryNotString: TrainingRule = {
  code: "list-entry-not-string",
  severities: ["error"],
  explanation:
    "VeOmni does not convert the entries of a list. A pattern that is a number, null, a list or a mapping ends in TypeError or AttributeError.",
  example: trainingExample({ model: offloadLines("activation_offload_modules: [model.layers.*, 3]") }),
  check: ({ document, written }) => written.flatMap((each) => entryFindings(document, each, () => "error")),
};
