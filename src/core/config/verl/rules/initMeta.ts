import { ranksOf, textIn } from "../../document/literalValues.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { writtenField } from "../writtenFields.js";
import { setFix } from "./switchFixes.js";

/** Parameters created anywhere else than on the meta device. */
export const initMeta: BlockRule = {
  code: "init-meta",
  severities: ["error", "warning"],
  explanation:
    "The engine wraps the model with FSDP2, and VeOmni asserts init_device: meta for that. Only a single rank, without any wrap, takes cuda or npu; cpu never works.",
  example: engineExample("init_device: cpu"),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const written = writtenField(context.block, "init_device");
  const device = textIn(context.document.root, context.block.mapping, "init_device");
  if (written === undefined || (device !== "cpu" && device !== "cuda" && device !== "npu")) return [];
  const { world } = ranksOf(context.document.root);
  if (device !== "cpu" && world === 1) return [];
  const fails = device === "cpu" || world !== undefined;
  return [
    {
      span: written.entry.value.span,
      severity: fails ? "error" : "warning",
      message: fails
        ? `init_device: ${device} fails an assertion: FSDP2 needs meta.`
        : `init_device: ${device} works on a single rank only; with more, FSDP2 needs meta and an assertion fails.`,
      fixes: setFix("Set init_device to meta", context, written.entry, "meta"),
    },
  ];
}
