import { asyncCompile } from "./asyncCompile.js";
import { asyncWan } from "./asyncWan.js";
import { asyncWithoutCheckpointing } from "./asyncWithoutCheckpointing.js";
import { batchMultiple } from "./batchMultiple.js";
import { cacheHoards } from "./cacheHoards.js";
import { cacheWithoutSwitch } from "./cacheWithoutSwitch.js";
import { chunkLossSync } from "./chunkLossSync.js";
import { chunkMbsExcludes } from "./chunkMbsExcludes.js";
import { classNameExpected } from "./classNameExpected.js";
import { compileCudaGraphs } from "./compileCudaGraphs.js";
import { compileNeeds } from "./compileNeeds.js";
import { cpUlysses } from "./cpUlysses.js";
import { cpuExpertParallel } from "./cpuExpertParallel.js";
import { deprecatedValue } from "./deprecatedValue.js";
import { eagerPacked } from "./eagerPacked.js";
import { epOutside } from "./epOutside.js";
import { exponentText } from "./exponentText.js";
import { extraParallelLengths } from "./extraParallelLengths.js";
import { foreignKey } from "./foreignKey.js";
import { fsdp2Meta } from "./fsdp2Meta.js";
import { gpuLimitAsync } from "./gpuLimitAsync.js";
import { kernelForModel } from "./kernelForModel.js";
import { listEntryNotString } from "./listEntryNotString.js";
import { listEntryType } from "./listEntryType.js";
import { misnamedKey } from "./misnamedKey.js";
import { missingKey } from "./missingKey.js";
import { mixedLayouts } from "./mixedLayouts.js";
import { modulesNeedAsync } from "./modulesNeedAsync.js";
import { movedKey } from "./movedKey.js";
import { muonHeadSplit } from "./muonHeadSplit.js";
import { newerKey } from "./newerKey.js";
import { notImplemented } from "./notImplemented.js";
import { omniParts } from "./omniParts.js";
import { otherTrainer } from "./otherTrainer.js";
import { outOfRange } from "./outOfRange.js";
import { paddingNeedsDynBsz } from "./paddingNeedsDynBsz.js";
import { pinnedMemory } from "./pinnedMemory.js";
import { prefetchWithoutWorkers } from "./prefetchWithoutWorkers.js";
import { reentrant } from "./reentrant.js";
import { removedKey } from "./removedKey.js";
import { removePaddingNeeds } from "./removePaddingNeeds.js";
import { rotaryRejected } from "./rotaryRejected.js";
import { stageAsync } from "./stageAsync.js";
import { streamLoad } from "./streamLoad.js";
import { syncXorAsync } from "./syncXorAsync.js";
import { textInsteadOfList } from "./textInsteadOfList.js";
import type { TrainingRule } from "./trainingRule.js";
import { unknownKey } from "./unknownKey.js";
import { unknownLayout } from "./unknownLayout.js";
import { unknownValue } from "./unknownValue.js";
import { unmergedKey } from "./unmergedKey.js";
import { unquotedPattern } from "./unquotedPattern.js";
import { wrongType } from "./wrongType.js";
import { zeroRate } from "./zeroRate.js";

/** Rules on what keys mean together; they hold for flags too, as far as those say it. */
export const crossRules: readonly TrainingRule[] = [
  asyncCompile,
  asyncWan,
  asyncWithoutCheckpointing,
  batchMultiple,
  cacheHoards,
  cacheWithoutSwitch,
  chunkLossSync,
  chunkMbsExcludes,
  classNameExpected,
  compileCudaGraphs,
  compileNeeds,
  cpUlysses,
  cpuExpertParallel,
  eagerPacked,
  epOutside,
  extraParallelLengths,
  fsdp2Meta,
  gpuLimitAsync,
  kernelForModel,
  modulesNeedAsync,
  muonHeadSplit,
  paddingNeedsDynBsz,
  pinnedMemory,
  prefetchWithoutWorkers,
  reentrant,
  removePaddingNeeds,
  rotaryRejected,
  stageAsync,
  streamLoad,
  syncXorAsync,
  zeroRate,
];

/** Every rule on VeOmni's own training YAML. Duplicate keys and syntax are shared with verl's files. */
export const trainingRules: readonly TrainingRule[] = [
  unquotedPattern,
  textInsteadOfList,
  listEntryNotString,
  listEntryType,
  exponentText,
  wrongType,
  outOfRange,
  unknownValue,
  notImplemented,
  deprecatedValue,
  unknownLayout,
  mixedLayouts,
  missingKey,
  misnamedKey,
  foreignKey,
  unmergedKey,
  movedKey,
  newerKey,
  removedKey,
  unknownKey,
  omniParts,
  otherTrainer,
  ...crossRules,
];
