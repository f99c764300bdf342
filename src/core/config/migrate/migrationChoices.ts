import { counted } from "../../base/quantities.js";
import type { LayoutId } from "../veomni/layout.js";
import { migrateDocument, migrationDialectOf } from "./migrateDocument.js";
import { isBackwardsProblem, type Migration, type MigrationTarget, migrationTargets } from "./migration.js";

/** One target of a file, and what a conversion to it would do, in words for a list. */
export interface MigrationChoice {
  readonly to: MigrationTarget;
  /** What is different about the target, in a few words: `Accelerator under model`. */
  readonly name: string;
  /** The versions of the framework that read it: `VeOmni #1090 to #1125`. */
  readonly versions: string;
  /** `current`: the file is there and nothing has to be corrected. `refused`: keys would be lost, or something stands in the way. */
  readonly state: "current" | "possible" | "refused";
  readonly description: string;
}

const labels: Readonly<Record<MigrationTarget, Pick<MigrationChoice, "name" | "versions">>> = {
  flat: { name: "Flat keys under train", versions: "VeOmni before #538 (2026-03)" },
  "train-scoped": { name: "Blocks under train", versions: "VeOmni #538 (2026-03) to #965" },
  "train-scoped+async": { name: "Blocks under train, async offload", versions: "VeOmni #965 to #1090" },
  "model-scoped": {
    name: "Accelerator and optimizer under model",
    versions: "VeOmni #1090 (2026-08) to #1125",
  },
  "model-scoped+template": { name: "Chat template under model too", versions: "VeOmni since #1125, the newest" },
  verl: { name: "verl's keys of today", versions: "verl since #7724 (2026-09)" },
};

/** Every target that a file's dialect has, in the order of time; nothing for files that are none of ours. */
export function migrationChoices(path: string, text: string, layout?: LayoutId): readonly MigrationChoice[] {
  const dialect = migrationDialectOf(path, text);
  if (dialect === undefined) return [];
  const targets = migrationTargets.filter((to) => (to === "verl") === (dialect === "verl"));
  return targets.map((to) => choiceOf(path, text, to, layout));
}

function choiceOf(path: string, text: string, to: MigrationTarget, layout: LayoutId | undefined): MigrationChoice {
  const outcome = migrateDocument(path, text, to, layout === undefined ? {} : { layout });
  if (!outcome.ok) {
    const { problem } = outcome;
    const count = isBackwardsProblem(problem) ? problem.homeless.length : 0;
    if (count > 0)
      return { to, ...labels[to], state: "refused", description: `older, ${counted(count, "key")} would be lost` };
    const description = isBackwardsProblem(problem) ? "older; files are converted forwards only" : problem.message;
    return { to, ...labels[to], state: "refused", description };
  }
  const isCurrent = outcome.value.from === to && outcome.value.edits.length === 0;
  return { to, ...labels[to], state: isCurrent ? "current" : "possible", description: describe(outcome.value) };
}

function describe({ from, to, edits, homeless, changed }: Migration): string {
  if (edits.length === 0) return from === to ? "nothing to do" : "every key has the same place";
  const lines = edits.reduce((sum, { newText }) => sum + (newText.match(/\n|[^\n]$/g)?.length ?? 0), 0);
  return [
    from === to ? "corrects wrong keys" : `${lines} ${lines === 1 ? "line changes" : "lines change"}`,
    ...(changed.length === 0 ? [] : [`${counted(changed.length, "value")} adapted`]),
    ...(homeless.length === 0
      ? []
      : [
          `${counted(homeless.length, "key")} without a place ${homeless.length === 1 ? "becomes a comment" : "become comments"}`,
        ]),
  ].join(", ");
}
