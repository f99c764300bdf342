import type { PatternRule } from "../patternEntries.js";
import { braceAlternatives } from "./braceAlternatives.js";
import { className } from "./className.js";
import { containerItself } from "./containerItself.js";
import { digitRange } from "./digitRange.js";
import { doubleStar } from "./doubleStar.js";
import { foreignGroup } from "./foreignGroup.js";
import { groupAtStart } from "./groupAtStart.js";
import { insideLayer } from "./insideLayer.js";
import { listedTwice } from "./listedTwice.js";
import { listInPattern } from "./listInPattern.js";
import { singleModule } from "./singleModule.js";
import { starAlone } from "./starAlone.js";
import { strayBlank } from "./strayBlank.js";
import { textAfterGroup } from "./textAfterGroup.js";

/** Every rule on pattern lists, in any dialect. */
export const patternRules: readonly PatternRule[] = [
  textAfterGroup,
  listInPattern,
  groupAtStart,
  braceAlternatives,
  digitRange,
  foreignGroup,
  strayBlank,
  listedTwice,
  className,
  starAlone,
  doubleStar,
  containerItself,
  insideLayer,
  singleModule,
];
