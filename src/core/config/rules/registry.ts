import { asyncInRef } from "./asyncInRef.js";
import { asyncReentrant } from "./asyncReentrant.js";
import { asyncVersusSync } from "./asyncVersusSync.js";
import { asyncWithoutCheckpointing } from "./asyncWithoutCheckpointing.js";
import { cacheWithoutSwitch } from "./cacheWithoutSwitch.js";
import { duplicateKeyCode, duplicateKeyExplanation } from "./duplicateKey.js";
import { foreignKey } from "./foreignKey.js";
import { listEntryNotString } from "./listEntryNotString.js";
import { modulesWithoutSwitch } from "./modulesWithoutSwitch.js";
import { outOfRange } from "./outOfRange.js";
import { removedKey } from "./removedKey.js";
import type { BlockRule } from "./rule.js";
import { textInsteadOfList } from "./textInsteadOfList.js";
import { unknownKey } from "./unknownKey.js";
import { unknownValue } from "./unknownValue.js";
import { unquotedPattern } from "./unquotedPattern.js";
import { wrongType } from "./wrongType.js";
import { yamlSyntaxCode, yamlSyntaxExplanation } from "./yamlSyntax.js";

/** Every rule that runs once per engine block. */
export const blockRules: readonly BlockRule[] = [
  unquotedPattern,
  textInsteadOfList,
  listEntryNotString,
  wrongType,
  outOfRange,
  unknownValue,
  removedKey,
  foreignKey,
  unknownKey,
  asyncVersusSync,
  modulesWithoutSwitch,
  cacheWithoutSwitch,
  asyncWithoutCheckpointing,
  asyncReentrant,
  asyncInRef,
];

/** Code and explanation of every rule, those of whole files included. */
export const ruleExplanations: ReadonlyMap<string, string> = new Map([
  ...blockRules.map((rule) => [rule.code, rule.explanation] as const),
  [duplicateKeyCode, duplicateKeyExplanation],
  [yamlSyntaxCode, yamlSyntaxExplanation],
]);
