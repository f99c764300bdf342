import type { OffloadSettings } from "./document/offloadSettings.js";
import { holdsOverrides } from "./overrides/calls.js";
import { readOverrideSettings } from "./overrides/overrideSettings.js";
import type { TrainingOptions } from "./veomni/checkTraining.js";
import { readTrainingSettings } from "./veomni/trainingSettings.js";
import { readVerlSettings } from "./verl/verlSettings.js";

/**
 * Reads the offload settings of every engine block of a verl configuration, those of VeOmni's own training YAML, or what the command
 * lines of a script or a shell block of Markdown set; empty for any other file. Broken files give what could still be read; it never
 * throws. `environment` feeds `${oc.env:…}` of verl's files; without it only defaults count. `options` may name the layout of
 * VeOmni's.
 */
export function readOffloadSettings(
  path: string,
  text: string,
  environment: Readonly<Record<string, string | undefined>> = {},
  options: TrainingOptions = {},
): OffloadSettings[] {
  if (holdsOverrides(path)) return readOverrideSettings(path, text, environment);
  const training = readTrainingSettings(path, text, options);
  return training.length > 0 ? training : readVerlSettings(path, text, environment);
}
