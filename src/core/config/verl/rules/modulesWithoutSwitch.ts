import { followAlias, isDeferred, textOf } from "../../document/configNode.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { asyncSwitchOf } from "../offloadSwitch.js";
import { writtenField } from "../writtenFields.js";
import { unusedKeyFixes } from "./switchFixes.js";

/** A module list that nothing reads. */
export const modulesWithoutSwitch: BlockRule = {
  code: "modules-without-switch",
  severities: ["warning"],
  explanation:
    "activation_offload_modules is only read when enable_async_activation_offload is true. Without it nothing is offloaded.",
  example: engineExample('activation_offload_modules: ["model.layers.{*}"]'),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const modules = writtenField(context.block, "activation_offload_modules");
  if (modules === undefined || isEmpty(modules.entry.value) || isDeferred(modules.entry.value)) return [];
  const state = asyncSwitchOf(context.block);
  if (state !== "off" && state !== "absent") return [];
  const why = state === "off" ? "is off" : "is not set in this block and is off by default";
  return [
    {
      span: modules.entry.keySpan,
      severity: "warning",
      message: `activation_offload_modules is ignored: enable_async_activation_offload ${why}.`,
      fixes: unusedKeyFixes(context, modules),
    },
  ];
}

function isEmpty(value: Parameters<typeof followAlias>[0]): boolean {
  const node = followAlias(value);
  if (node.kind === "sequence") return node.items.length === 0;
  return node.kind === "scalar" && (node.value.type === "null" || textOf(node) === "");
}
