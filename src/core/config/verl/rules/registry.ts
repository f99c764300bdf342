import { duplicateKeyFacts } from "../../rules/duplicateKey.js";
import type { RuleFacts } from "../../rules/rule.js";
import { yamlSyntaxFacts } from "../../rules/yamlSyntax.js";
import type { BlockRule } from "../blockRule.js";
import { asyncInRef } from "./asyncInRef.js";
import { asyncReentrant } from "./asyncReentrant.js";
import { asyncVersusSync } from "./asyncVersusSync.js";
import { asyncWithoutCheckpointing } from "./asyncWithoutCheckpointing.js";
import { attentionNotParallel } from "./attentionNotParallel.js";
import { batchSizes } from "./batchSizes.js";
import { blockPatternRules } from "./blockPatterns.js";
import { cacheHoards } from "./cacheHoards.js";
import { cacheWithoutSwitch } from "./cacheWithoutSwitch.js";
import { deprecatedValue } from "./deprecatedValue.js";
import { engineNotVeomni } from "./engineNotVeomni.js";
import { foreignKey } from "./foreignKey.js";
import { forwardOnlyActor } from "./forwardOnlyActor.js";
import { fsdpOffloadDouble } from "./fsdpOffloadDouble.js";
import { inertKey } from "./inertKey.js";
import { initMeta } from "./initMeta.js";
import { kernelForModel } from "./kernelForModel.js";
import { listEntryNotString } from "./listEntryNotString.js";
import { misplacedKey } from "./misplacedKey.js";
import { modulesWithoutSwitch } from "./modulesWithoutSwitch.js";
import { needsRemovePadding } from "./needsRemovePadding.js";
import { outOfRange } from "./outOfRange.js";
import { paddingBucket } from "./paddingBucket.js";
import { padToLengthPlace } from "./padToLengthPlace.js";
import { padTopkDistillation } from "./padTopkDistillation.js";
import { parallelSizes } from "./parallelSizes.js";
import { pinnedMemory } from "./pinnedMemory.js";
import { r3Rollout } from "./r3Rollout.js";
import { refNotFollowing } from "./refNotFollowing.js";
import { removedKey } from "./removedKey.js";
import { replayPadding } from "./replayPadding.js";
import { textInsteadOfList } from "./textInsteadOfList.js";
import { unknownKey } from "./unknownKey.js";
import { unknownValue } from "./unknownValue.js";
import { unquotedPattern } from "./unquotedPattern.js";
import { wrongType } from "./wrongType.js";
import { zeroRate } from "./zeroRate.js";

/** Rules that look at one key at a time; they run on every block that has a field table. */
export const fieldRules: readonly BlockRule[] = [
  unquotedPattern,
  textInsteadOfList,
  listEntryNotString,
  wrongType,
  outOfRange,
  unknownValue,
  removedKey,
  foreignKey,
  unknownKey,
  zeroRate,
];

/** Rules on how the keys of an engine block go together, with each other and with the keys around them. */
const engineRules: readonly BlockRule[] = [
  misplacedKey,
  inertKey,
  deprecatedValue,
  asyncVersusSync,
  modulesWithoutSwitch,
  cacheWithoutSwitch,
  asyncWithoutCheckpointing,
  asyncReentrant,
  asyncInRef,
  r3Rollout,
  replayPadding,
  needsRemovePadding,
  fsdpOffloadDouble,
  initMeta,
  forwardOnlyActor,
  attentionNotParallel,
  parallelSizes,
  kernelForModel,
  padToLengthPlace,
  padTopkDistillation,
  paddingBucket,
  refNotFollowing,
  engineNotVeomni,
  pinnedMemory,
  cacheHoards,
];

/** Every rule that runs once per engine block. */
export const blockRules: readonly BlockRule[] = [...fieldRules, ...engineRules, ...blockPatternRules];

/** Every rule of verl's files, those of whole files included. */
export const ruleFacts: readonly RuleFacts[] = [...blockRules, batchSizes, duplicateKeyFacts, yamlSyntaxFacts];

/** Code and explanation of every rule, those of whole files included. */
export const ruleExplanations: ReadonlyMap<string, string> = new Map(
  ruleFacts.map((rule) => [rule.code, rule.explanation] as const),
);
