import { asMapping, entryOf, nodeAt } from "../../document/configNode.js";
import { switchStateOf } from "../../document/switchState.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { activeReplay } from "./routerReplay.js";
import { putFix } from "./switchFixes.js";

const key = "enable_rollout_routing_replay";

/** Router replay mode R3 without the recording in the rollout. */
export const r3Rollout: BlockRule = {
  code: "r3-rollout",
  severities: ["error", "warning"],
  explanation:
    "R3 replays the routes that the rollout recorded, so it needs actor_rollout_ref.rollout.enable_rollout_routing_replay: true, which is false by default. Written false it fails; not written, another file or the command line can still set it.",
  example: fileExample(
    "actor_rollout_ref:",
    "  actor:",
    "    veomni:",
    "      router_replay:",
    "        mode: R3",
    "  rollout:",
    "    enable_rollout_routing_replay: false",
  ),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const { block, carrier, document } = context;
  const replay = activeReplay(context);
  if (replay?.mode !== "R3" || (block.role !== "actor" && block.role !== "ref")) return [];
  const rolloutPath = [...block.path.split(".").slice(0, -2), "rollout"];
  const rollout = asMapping(nodeAt(document.root, rolloutPath));
  const entry = entryOf(rollout, key);
  const state = switchStateOf(entry);
  if (rollout === undefined || state === "on" || state === "deferred") return [];
  const isWritten = entry !== undefined;
  const isUnset = carrier.kind === "override" && carrier.isWholeCall;
  return [
    {
      span: entry?.span ?? replay.entry.span,
      severity: isWritten || isUnset ? "error" : "warning",
      message: `router_replay.mode R3 needs rollout.${key}: true${isWritten ? "" : "; it is false unless set elsewhere"}.`,
      fixes: putFix(`Set rollout.${key} to true`, context, rollout, key, "true"),
    },
  ];
}
