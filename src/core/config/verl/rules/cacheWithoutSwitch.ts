import { scalarOf } from "../../document/configNode.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { asyncSwitchOf } from "../offloadSwitch.js";
import { writtenField } from "../writtenFields.js";
import { unusedKeyFixes } from "./switchFixes.js";

/** A host cache limit, other than the default, that bounds nothing. */
export const cacheWithoutSwitch: BlockRule = {
  code: "cache-without-switch",
  severities: ["hint"],
  explanation:
    "activation_offload_host_cache_limit_gb bounds the idle pinned buffers of stream-based offload. While enable_async_activation_offload is off there are none.",
  example: engineExample("enable_async_activation_offload: false", "activation_offload_host_cache_limit_gb: 8.0"),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const written = writtenField(context.block, "activation_offload_host_cache_limit_gb");
  const limit = scalarOf(written?.entry.value);
  if (written === undefined || (limit?.type !== "int" && limit?.type !== "float")) return [];
  if (limit.value === written.field?.yamlDefault) return [];
  const state = asyncSwitchOf(context.block);
  if (state !== "off" && state !== "absent") return [];
  return [
    {
      span: written.entry.keySpan,
      severity: "hint",
      message: "activation_offload_host_cache_limit_gb has no effect while enable_async_activation_offload is off.",
      fixes: unusedKeyFixes(context, written),
    },
  ];
}
