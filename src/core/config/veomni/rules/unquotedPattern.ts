import type { UnquotedPattern } from "../../patterns/patternList.js";
import { unquotedFindings, unquotedIn } from "../../patterns/unquotedPattern.js";
import type { TrainingContext } from "../trainingContext.js";
import { offloadLines, trainingExample } from "./trainingExample.js";
import type { TrainingRule } from "./trainingRule.js";

/** `[model.layers.{*}]`, `- *.layers`: YAML takes the brace or the star for itself. */
export const unquotedPattern: TrainingRule = {
  code: "unquoted-pattern",
  severities: ["error"],
  explanation:
    "In a YAML flow list a brace or bracket ends a plain text, and a leading star makes an alias, so the file does not load. Quotes make the pattern a text again.",
  example: trainingExample({ model: offloadLines("activation_offload_modules: [model.layers.{*}]") }),
  check: (context) => unquotedFindings(patternsOf(context)),
};

/** The patterns that the rule reports, for rules that would report the same places again. */
export function patternsOf({ document, written }: TrainingContext): readonly UnquotedPattern[] {
  return unquotedIn(document, written);
}
