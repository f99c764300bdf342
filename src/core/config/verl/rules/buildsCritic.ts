import { type ConfigNode, nodeAt, scalarOf, textOf } from "../../document/configNode.js";

/** verl's `need_critic`: `critic.enable`, else the estimator gae, which is the default. False where only the run knows. */
export function buildsCritic(root: ConfigNode | undefined): boolean {
  const enable = nodeAt(root, ["critic", "enable"]);
  const switched = scalarOf(enable);
  if (enable !== undefined && switched?.type !== "null") return switched?.type === "bool" && switched.value;
  const estimator = nodeAt(root, ["algorithm", "adv_estimator"]);
  return estimator === undefined || textOf(estimator) === "gae";
}
