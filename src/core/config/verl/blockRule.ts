import type { ConfigDocument } from "../document/configDocument.js";
import type { EditedFile } from "../document/edits.js";
import type { PatternList } from "../patterns/patternEntries.js";
import type { Finding, RuleFacts, RuleOptions } from "../rules/rule.js";
import type { EngineBlock } from "./engineBlock.js";
import type { DocumentKind } from "./recognise.js";

/** What a rule may look at: the whole file, and one engine block of it. */
export interface BlockContext extends EditedFile {
  readonly document: ConfigDocument;
  readonly kind: DocumentKind;
  readonly block: EngineBlock;
  readonly options?: RuleOptions;
  /** The block's pattern list where it is not YAML; absent: it is read from the block. */
  readonly patternList?: PatternList;
}

/** A rule that runs once per engine block. */
export interface BlockRule extends RuleFacts {
  check(context: BlockContext): readonly Finding[];
}
