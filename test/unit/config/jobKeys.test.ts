import { expect, test } from "vitest";
import { jobKeys } from "../../../src/core/config/jobKeys.js";
import { readConfig, settingsOf } from "../../../src/core/config/readConfig.js";
import { jobText } from "./jobs.js";

/** Role and path of the model of each block, or the layout. */
function placesIn(path: string, text: string): readonly unknown[] {
  const read = readConfig(path, text);
  if (read === undefined) throw new Error("no config");
  return settingsOf(read).map((block) => {
    const keys = jobKeys(read, block);
    if (keys?.framework !== "verl") return keys?.context.layout;
    return [keys.places.role, keys.places.rolePath, keys.places.blockPath, keys.places.modelPath];
  });
}

test("every block of a file of verl has its own places", () => {
  expect(placesIn("dynamic.yaml", jobText("dynamic.yaml"))).toEqual([
    ["actor", "actor_rollout_ref.actor", "actor_rollout_ref.actor.veomni", "actor_rollout_ref.model"],
    ["ref", "actor_rollout_ref.ref", "actor_rollout_ref.ref.veomni", "actor_rollout_ref.model"],
    ["critic", "critic", "critic.veomni", "critic.model"],
  ]);
});

test("a later call of a script names its keys as the first one does", () => {
  const call = jobText("whole-call.sh");
  const places = placesIn("two.sh", `${call}\n${call}`);
  expect(places).toHaveLength(2);
  expect(places[1]).toEqual(places[0]);
});

test("VeOmni's own files and flags have a layout", () => {
  expect(placesIn("training.yaml", jobText("training.yaml"))).toEqual(["model-scoped"]);
  expect(placesIn("training.sh", jobText("training.sh"))).toEqual(["train-scoped+async"]);
});

test("a path that no block has", () => {
  const read = readConfig("dynamic.yaml", jobText("dynamic.yaml"));
  expect(read && jobKeys(read, { blockPath: "rollout" })).toBeUndefined();
});
