import { fail, type Outcome, type Problem, succeed } from "../../base/outcome.js";
import { readConfig, type YamlConfig } from "../readConfig.js";
import type { LayoutId } from "../veomni/layout.js";
import { editableText, withEdits } from "../write/editedLines.js";
import { migrateLayout } from "./migrateLayout.js";
import { migrateVerl } from "./migrateVerl.js";
import type { ConvertedText, Migration, MigrationTarget } from "./migration.js";

const byteOrderMark = "\uFEFF";

/** What a caller may say about a file. */
export interface MigrationOptions {
  /** The layout that it is written in, where it does not pin one itself. */
  readonly layout?: LayoutId;
}

/**
 * Converts a whole YAML file: VeOmni's training YAML to another layout, a file with verl's engine block to today's keys
 * (`verl`). Comments travel with their keys; the rest of the text stays as it is. A file that is there already gets no edits.
 * Fails with `MIGRATION_NOT_CONFIG`, `MIGRATION_OTHER_DIALECT`, `MIGRATION_GENERATED`, and as `migrateLayout` does.
 */
export function migrateDocument(
  path: string,
  text: string,
  to: MigrationTarget,
  options: MigrationOptions = {},
): Outcome<Migration> {
  // A second mark belongs to the first key.
  const mark = text.startsWith(byteOrderMark) && text[1] !== byteOrderMark ? byteOrderMark : "";
  const { readable, editsTo } = editableText(text);
  const yaml = readConfig(path, readable.slice(mark.length), options)?.yaml;
  if (yaml === undefined) return fail(notConfig(path));
  if (isGenerated(yaml)) return fail(generated(path));
  const outcome = convertedTo(path, yaml, to);
  if (!outcome.ok) return outcome;
  const edits = editsTo(mark + outcome.value.text);
  return succeed({ ...outcome.value, text: withEdits(text, edits), edits });
}

/** By the converter of what the file speaks, which must be the target's. */
function convertedTo(path: string, yaml: YamlConfig, to: MigrationTarget): Outcome<ConvertedText> {
  if (to === "verl") return yaml.form === "verl" ? migrateVerl(yaml) : fail(otherDialect(path, "veomni"));
  return yaml.form === "training" ? migrateLayout(yaml, to) : fail(otherDialect(path, "verl"));
}

/** What a file can be converted to: the layouts, or verl's keys; nothing for files that are none of ours. */
export function migrationDialectOf(path: string, text: string): "verl" | "veomni" | undefined {
  const yaml = readConfig(path, text)?.yaml;
  if (yaml === undefined || isGenerated(yaml)) return undefined;
  return yaml.form === "verl" ? "verl" : "veomni";
}

function isGenerated(yaml: YamlConfig): boolean {
  return yaml.form === "verl" && yaml.kind.generated;
}

function notConfig(path: string): Problem {
  return {
    code: "MIGRATION_NOT_CONFIG",
    message: `${path} is neither a training YAML of VeOmni nor a YAML file with verl's VeOmni engine.`,
    nextStep: 'A first line "# offload-lens: layout=train-scoped" says that it is one, and in which layout.',
  };
}

function otherDialect(path: string, dialect: "verl" | "veomni"): Problem {
  const isVerl = dialect === "verl";
  return {
    code: "MIGRATION_OTHER_DIALECT",
    message: `${path} is ${isVerl ? "a verl config" : "VeOmni's own training YAML"}, which the target is not for.`,
    cause: "verl's keys and VeOmni's own are two languages; nothing translates whole files between them.",
    nextStep: isVerl ? "Use the target verl." : "Use one of the layouts of VeOmni's training YAML.",
  };
}

function generated(path: string): Problem {
  return {
    code: "MIGRATION_GENERATED",
    message: `${path} is written by a generator.`,
    nextStep: "Convert the files that it is made from, and generate it again.",
  };
}
