import type { Diagnostic, TextEdit } from "../document/diagnostic.js";
import { describeValue } from "../hydra/value.js";
import { diagnosticOf } from "../rules/rule.js";
import type { Override } from "../shell/overrides.js";
import type { EngineBlock } from "../verl/engineBlock.js";
import { verlEngineTable } from "../verl/fields/verlEngine.js";
import type { DocumentKind } from "../verl/recognise.js";
import { unknownKey } from "../verl/rules/unknownKey.js";
import { tableOf, writtenFields } from "../verl/writtenFields.js";
import { operatorEdit, removeWord } from "./overrideEdits.js";
import {
  overrideNeedsEngine,
  overrideNeedsPlus,
  overridePlusExisting,
  overrideRepeated,
  overrideSyntax,
  trapFacts,
  trapSeverity,
} from "./overrideFacts.js";
import type { OverrideTree } from "./overrideTree.js";

/** The trap of an override, else what the grammar says against it. */
export function trapOrError(override: Override): readonly Diagnostic[] {
  const { trap, error } = override;
  if (trap !== undefined) {
    const { code } = trapFacts[trap.code];
    const severity = trapSeverity(trap.code, error !== undefined);
    const span = override.valueSpan.start < override.valueSpan.end ? override.valueSpan : override.keySpan;
    return [diagnosticOf(code, { span, severity, message: trap.message, fixes: trap.fix ? [trap.fix] : [] })];
  }
  if (error === undefined) return [];
  const fixes = error.fix === undefined ? [] : [error.fix];
  const message = `Hydra refuses the override: ${error.message}`;
  return [diagnosticOf(overrideSyntax.code, { span: error.span, severity: "error", message, fixes })];
}

/** Operators against what the shipped YAML holds. */
export function operatorFindings(text: string, tree: OverrideTree, kind: DocumentKind): readonly Diagnostic[] {
  return [...kind.blocks, ...kind.optimizers].flatMap((block) =>
    writtenFields(block).flatMap(({ path, entry }) => {
      const override = tree.overrideOf.get(entry);
      return override === undefined ? [] : operatorFinding(text, block, path, override);
    }),
  );
}

function operatorFinding(text: string, block: EngineBlock, key: string, override: Override): readonly Diagnostic[] {
  const field = tableOf(block).field(key);
  if (field === undefined) return [];
  const isShipped = field.yamlDefault !== undefined;
  if (override.operator === "set" && !isShipped) {
    return [
      diagnosticOf(overrideNeedsPlus.code, {
        span: override.keySpan,
        severity: "error",
        message: `${key} is not in the shipped YAML, so Hydra refuses to set it. A leading + adds it.`,
        fixes: fixOf("Add a leading +", operatorEdit(text, override, "+")),
      }),
    ];
  }
  const isScalar = override.value !== undefined && !["list", "dict"].includes(override.value.kind);
  if (override.operator !== "add" || !isShipped || !isScalar) return [];
  return [
    diagnosticOf(overridePlusExisting.code, {
      span: override.keySpan,
      severity: "error",
      message: `${key} is in the shipped YAML, so Hydra refuses to add it.`,
      fixes: fixOf("Remove the +", operatorEdit(text, override, "")),
    }),
  ];
}

/** Deletions of keys that the shipped YAML does not hold, in calls that name no other config. */
export function deletionFindings(overrides: readonly Override[]): readonly Diagnostic[] {
  return overrides.flatMap(({ operator, keyPath, keySpan, isOfWholeCall }) => {
    const key = /(?:^|\.)(?:actor|ref|critic)\.veomni\.(.+)$/.exec(keyPath)?.[1];
    if (operator !== "delete" || isOfWholeCall !== true || key === undefined) return [];
    if (verlEngineTable.field(key)?.yamlDefault !== undefined) return [];
    const message = `Hydra refuses to delete ${key.slice(0, 80)}: the shipped YAML does not hold it.`;
    return [diagnosticOf(unknownKey.code, { span: keySpan, severity: "error", message })];
  });
}

/** Overrides whose key is set again later in the same call, branches of the script aside. */
export function repeatedFindings(text: string, overrides: readonly Override[]): readonly Diagnostic[] {
  const later = new Map<string, Override>();
  const found: Diagnostic[] = [];
  for (const override of [...overrides].reverse()) {
    const isCertain = override.alternative === undefined && override.operator !== "delete";
    if (!isCertain || override.package !== undefined || override.trap?.code === "brace-expansion") continue;
    const again = later.get(override.keyPath);
    if (again === undefined) later.set(override.keyPath, override);
    else found.push(repeatedFinding(text, override, again));
  }
  return found;
}

function repeatedFinding(text: string, override: Override, again: Override): Diagnostic {
  const same = valueText(override) === valueText(again);
  const message = same
    ? `${override.keyPath} is set again later in this call, to the same value.`
    : `${override.keyPath} is set again later in this call; only the last value counts.`;
  return diagnosticOf(overrideRepeated.code, {
    span: override.keySpan,
    severity: same ? "hint" : "warning",
    message,
    fixes: fixOf("Remove this override", removeWord(text, override)),
  });
}

function valueText(override: Override): string {
  return override.value === undefined ? "" : describeValue(override.value);
}

/** Keys of a veomni block in a whole command that does not select the engine. */
export function engineFindings(overrides: readonly Override[]): readonly Diagnostic[] {
  const isCommand = overrides.some(({ keyPath }) => /^(?:data|trainer)\./.test(keyPath));
  const selects = overrides.some(
    ({ keyPath, operator }) => /^(?:model_engine|engine)$/.test(keyPath) && operator !== "delete",
  );
  const first = overrides.find(({ keyPath }) => /(?:^|\.)(?:actor|ref|critic)\.veomni\./.test(keyPath));
  if (first?.isOfExcerpt === true) return [];
  const isWhole = first?.isOfWholeCall === true && first.trap?.code !== "cut-off";
  if ((!isCommand && !isWhole) || selects || first === undefined) return [];
  const unless = isWhole ? "" : " The config that it names may select the engine.";
  return [
    diagnosticOf(overrideNeedsEngine.code, {
      span: first.keySpan,
      severity: isWhole ? "error" : "information",
      message: `This call does not say model_engine=veomni, without which Hydra refuses the keys of veomni blocks.${unless}`,
    }),
  ];
}

function fixOf(title: string, edit: TextEdit | undefined) {
  return edit === undefined ? [] : [{ title, edits: [edit] }];
}
