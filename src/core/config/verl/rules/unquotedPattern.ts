import type { UnquotedPattern } from "../../patterns/patternList.js";
import { unquotedFindings, unquotedIn } from "../../patterns/unquotedPattern.js";
import { engineExample } from "../../rules/example.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { writtenFields } from "../writtenFields.js";

const maxReported = 200;

/** `[model.layers.{*}]`, `- *.layers`: YAML takes the brace or the star for itself. */
export const unquotedPattern: BlockRule = {
  code: "unquoted-pattern",
  severities: ["error"],
  explanation:
    "In a YAML flow list a brace or bracket ends a plain text, and a leading star makes an alias, so the file does not load. Quotes make the pattern a text again.",
  example: engineExample("enable_async_activation_offload: true", "activation_offload_modules: [model.layers.{*}]"),
  check: (context) => unquotedFindings(patternsOf(context)).slice(0, maxReported),
};

/** The patterns that the rule reports, for rules that would report the same places again. */
export function patternsOf({ document, block }: Pick<BlockContext, "document" | "block">): readonly UnquotedPattern[] {
  return unquotedIn(document, writtenFields(block));
}
