import type { PatternList } from "../patterns/patternEntries.js";
import type { OverrideCarrier, YamlCarrier } from "../rules/carrier.js";
import type { Rule, RuleContext } from "../rules/rule.js";
import type { EngineBlock } from "./engineBlock.js";
import type { DocumentKind } from "./recognise.js";

/** What a rule may look at: the whole file, and one engine block of it. */
export interface BlockContext extends RuleContext {
  readonly carrier: YamlCarrier | OverrideCarrier;
  readonly kind: DocumentKind;
  readonly block: EngineBlock;
  /** The block's pattern list where it is not YAML; absent: it is read from the block. */
  readonly patternList?: PatternList;
}

/** A rule that runs once per engine block. */
export type BlockRule = Rule<BlockContext>;
