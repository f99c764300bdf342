import { fail, type Outcome, type Problem, succeed } from "../../base/outcome.js";
import { parseConfig } from "../document/configDocument.js";
import { endsLinesWithReturns, withLineFeeds, withReturns } from "../document/lineBreaks.js";
import type { LayoutId } from "../veomni/layout.js";
import { isTraining, mightBeTraining } from "../veomni/recogniseTraining.js";
import { recognise } from "../verl/recognise.js";
import { migrateLayout } from "./migrateLayout.js";
import { migrateVerl } from "./migrateVerl.js";
import type { Migration, MigrationTarget } from "./migration.js";

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
  const dialect = dialectOf(path, text);
  if (dialect === undefined) return fail(notConfig(path));
  if (dialect === "generated") return fail(generated(path));
  if ((dialect === "verl") !== (to === "verl")) return fail(otherDialect(path, dialect));
  const migrate = (readable: string): Outcome<Migration> =>
    to === "verl" ? migrateVerl(path, readable) : migrateLayout(readable, to, options.layout);
  return endsLinesWithReturns(text) ? keepingReturns(text, migrate(withLineFeeds(text))) : migrate(text);
}

/** The same conversion for a text whose lines end with carriage returns alone, as one edit. */
function keepingReturns(text: string, outcome: Outcome<Migration>): Outcome<Migration> {
  if (!outcome.ok) return outcome;
  const newText = withReturns(outcome.value.text);
  const edits = newText === text ? [] : [{ span: { start: 0, end: text.length }, newText }];
  return succeed({ ...outcome.value, text: newText, edits });
}

/** What a file can be converted to: the layouts, or verl's keys; nothing for files that are none of ours. */
export function migrationDialectOf(path: string, text: string): "verl" | "veomni" | undefined {
  const dialect = dialectOf(path, text);
  return dialect === "generated" ? undefined : dialect;
}

function dialectOf(path: string, text: string): "verl" | "veomni" | "generated" | undefined {
  if (mightBeTraining(path, text) && isTraining(path, parseConfig(text, "pyyaml"))) return "veomni";
  const kind = recognise(path, text);
  if (kind === undefined) return undefined;
  return kind.generated ? "generated" : "verl";
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
