import { entryOf, type MappingEntry } from "../../document/configNode.js";
import { switchStateOf } from "../../document/switchState.js";
import { fileExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import { modelSwitch } from "./modelSwitch.js";
import { activeReplay } from "./routerReplay.js";
import { setFix } from "./switchFixes.js";

/** Router replay on padded inputs. */
export const replayPadding: BlockRule = {
  code: "replay-padding",
  severities: ["error"],
  explanation:
    "Routes are recorded per packed token. With use_remove_padding: false both the actor config and the engine raise RuntimeError.",
  example: fileExample(
    "actor_rollout_ref:",
    "  model:",
    "    use_remove_padding: false",
    "  actor:",
    "    veomni:",
    "      router_replay:",
    "        mode: R2",
  ),
  check: findingFor,
};

function findingFor(context: BlockContext): readonly Finding[] {
  const replay = activeReplay(context);
  const padding = paddingKept(context);
  if (replay === undefined || padding === undefined) return [];
  return [
    {
      span: padding.span,
      severity: "error",
      message: `router_replay.mode ${replay.mode} needs use_remove_padding: true.`,
      fixes: setFix("Set use_remove_padding to true", context, padding, "true"),
    },
  ];
}

/** The `use_remove_padding` that is off: the model's, which the worker copies, else the block's own. */
export function paddingKept(context: BlockContext): MappingEntry | undefined {
  const entry = modelSwitch(context, "use_remove_padding") ?? entryOf(context.block.mapping, "use_remove_padding");
  return switchStateOf(entry) === "off" ? entry : undefined;
}
