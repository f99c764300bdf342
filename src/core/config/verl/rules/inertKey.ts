import { entryOf, isDeferred, type MappingNode, scalarOf } from "../../document/configNode.js";
import { removeFix } from "../../document/edits.js";
import { engineExample } from "../../rules/example.js";
import type { Finding } from "../../rules/rule.js";
import type { BlockContext, BlockRule } from "../blockRule.js";
import type { FieldSpec } from "../fields/fieldSpec.js";
import { type KeyHome, overwrittenFrom } from "../fields/verlHomes.js";
import { modelPathOf } from "../recognise.js";
import { type WrittenField, writtenFields } from "../writtenFields.js";
import { moveFix } from "./switchFixes.js";

/** A value that nothing reads. */
export const inertKey: BlockRule = {
  code: "inert-key",
  severities: ["warning"],
  explanation:
    "Some keys of the dataclass are declared and never read by this engine, and some are overwritten at start-up with the value of a key one level up or of the model. What is written here has no effect.",
  example: engineExample("load_checkpoint_path: /checkpoints/step_100"),
  check: (context) => writtenFields(context.block).flatMap((written) => findingFor(context, written)),
};

function findingFor(context: BlockContext, written: WrittenField): readonly Finding[] {
  const { field, entry, container } = written;
  if (field === undefined || isDeferred(entry.value) || saysTheDefault(field, written)) return [];
  const home = homeOf(context, field);
  if (field.reader !== "nobody" && home === undefined) return [];
  if (home !== undefined && isSame(context, written, home)) return [];
  return [
    {
      span: entry.span,
      severity: "warning",
      message: home === undefined ? unread(field) : overwritten(context, field, home),
      fixes: [
        ...(home?.key === undefined
          ? []
          : moveFix(
              `Move to ${placeOf(context, home)}.${home.key}`,
              context,
              container,
              entry,
              mappingOf(context, home),
              `${placeOf(context, home)}.${home.key}`,
            )),
        ...removeFix(`Remove ${field.key}`, context, container, entry),
      ],
    },
  ];
}

/** The trainer of SFT fills the engine's keys in its own way. */
function homeOf(context: BlockContext, field: FieldSpec): (Omit<KeyHome, "key"> & { key?: string }) | undefined {
  if (field.reader !== "worker" || context.block.role === "sft") return undefined;
  return overwrittenFrom.get(field.key) ?? { place: "role" };
}

function saysTheDefault(field: FieldSpec, written: WrittenField): boolean {
  const value = scalarOf(written.entry.value);
  if (value === undefined) return false;
  if (value.type === "null") return true;
  const usual = field.yamlDefault ?? (field.reader === "nobody" ? field.dataclassDefault : undefined);
  return value.value === usual;
}

function isSame(context: BlockContext, written: WrittenField, home: { place: string; key?: string }): boolean {
  if (home.key === undefined) return false;
  const source = scalarOf(entryOf(mappingOf(context, home), home.key)?.value);
  const own = scalarOf(written.entry.value);
  return source !== undefined && own !== undefined && JSON.stringify(source) === JSON.stringify(own);
}

function unread(field: FieldSpec): string {
  return `${field.key} has no effect: ${field.readBy}.${field.pitfall === undefined ? "" : ` ${field.pitfall}`}`;
}

function overwritten(context: BlockContext, field: FieldSpec, home: { place: string; key?: string }): string {
  const source = home.key === undefined ? "a value of the policy" : `${placeOf(context, home)}.${home.key}`;
  return `${field.key} has no effect here: at start-up ${source} takes its place.`;
}

function placeOf(context: BlockContext, home: { place: string }): string {
  if (home.place === "model") return modelPathOf(context.block);
  const above = context.block.path.split(".").slice(0, -1).join(".");
  return above === "" ? "actor" : above;
}

function mappingOf(context: BlockContext, home: { place: string }): MappingNode | undefined {
  return home.place === "model" ? context.block.model?.mapping : context.block.parent;
}
