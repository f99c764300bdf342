import type { KeyPlace } from "./outline.js";
import { type KeyPosition, rank, type Suggestion, snippetText } from "./suggestion.js";

const verlKeys = {
  enabled: "enable_async_activation_offload",
  modules: "activation_offload_modules",
  limit: "activation_offload_host_cache_limit_gb",
};
const trainingKeys = { ...verlKeys, enabled: "enable_async_activation" };

/**
 * "Turn async offload on": the keys of the group that are not written yet. Offered in verl's engine block, in VeOmni's
 * `offload_config`, and in the accelerator block that lacks one.
 */
export function asyncSnippet(
  place: KeyPlace,
  present: ReadonlySet<string>,
  position: KeyPosition,
): readonly Suggestion[] {
  const known = (name: string): boolean => place.docs.some((doc) => doc.name === name && !doc.removed);
  if (known(verlKeys.enabled)) return snippet(verlKeys, present, position, []);
  if (known(trainingKeys.enabled)) return snippet(trainingKeys, present, position, []);
  const takesBlock = place.kind === "training" && /(?:^|\.)accelerator$/.test(place.path);
  if (!takesBlock || !known("offload_config") || present.has("offload_config")) return [];
  return snippet(trainingKeys, new Set(), position, ["offload_config:"]);
}

function snippet(
  keys: typeof verlKeys,
  present: ReadonlySet<string>,
  position: KeyPosition,
  head: readonly string[],
): readonly Suggestion[] {
  if (present.has(keys.enabled)) return [];
  const lines = [
    `${keys.enabled}: true`,
    ...(present.has(keys.modules) ? [] : [`${keys.modules}:`, `  - \${1:${snippetText("model.layers.{*}")}}`]),
    ...(present.has(keys.limit) ? [] : [`${keys.limit}: \${2:4.0}`]),
  ];
  const nested = head.length === 0 ? lines : [...head, ...lines.map((line) => `  ${line}`)];
  const insertText = position.lead + nested.join(`\n${position.below}`);
  return [
    {
      label: "Turn async offload on",
      kind: "snippet",
      span: position.span,
      insertText,
      isSnippet: true,
      filterText: `${position.lead}${keys.enabled} async offload on`,
      sortText: rank(0),
      detail: "switch, patterns and host cache limit",
      documentation:
        "Moves the saved layer inputs to pinned host memory in forward and back before backward needs them. Meant to be combined with gradient checkpointing.",
    },
  ];
}
