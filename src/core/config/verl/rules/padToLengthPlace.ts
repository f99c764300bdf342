import { shownWord } from "../../../base/shownWord.js";
import { entryOf } from "../../document/configNode.js";
import { booleanIn } from "../../document/literalValues.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { writtenField } from "../writtenFields.js";
import { moveFix } from "./switchFixes.js";

/** `pad_to_length` in the engine block of an actor or a reference policy. */
export const padToLengthPlace: BlockRule = {
  code: "pad-to-length-place",
  severities: ["information"],
  explanation:
    "In actor and ref the block takes pad_to_length from the key of the same name one level up by interpolation. A value in the block replaces that link for the engine only; other readers still see the outer key.",
  example: fileExample(
    "actor_rollout_ref:",
    "  actor:",
    "    use_dynamic_bsz: true",
    "    veomni:",
    "      pad_to_length: true",
  ),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const { block, document } = context;
  const written = writtenField(block, "pad_to_length");
  const inside = booleanIn(document.root, block.mapping, "pad_to_length");
  if (written === undefined || inside === undefined || (block.role !== "actor" && block.role !== "ref")) return [];
  const outside = booleanIn(document.root, block.parent, "pad_to_length");
  if (inside === (outside ?? false)) return [];
  const above = block.path.split(".").slice(0, -1).join(".");
  const place = `${shownWord(above)}.pad_to_length`;
  const said = entryOf(block.parent, "pad_to_length") === undefined ? "unset" : String(outside);
  return [
    {
      span: written.entry.span,
      severity: "information",
      message: `Set ${place} instead: the block follows it, and it is ${said} here.`,
      fixes: moveFix(
        `Move to ${place}`,
        context,
        written.container,
        written.entry,
        block.parent,
        `${above}.pad_to_length`,
      ),
    },
  ];
}
