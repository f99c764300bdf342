import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ruleGroups } from "../../../src/core/config/allRules.js";
import { examplePath, type RecordedConstraint, type RecordedTrap } from "../../../src/core/config/catalogue.js";
import { checkDocument } from "../../../src/core/config/check.js";
import { verlEngineTable } from "../../../src/core/config/verl/fields/verlEngine.js";
import { recordedFields } from "./veomni/recordedFields.js";

/*
 * What was recorded about both frameworks, against the files that show it: nothing may be left out. The recorded keys, rules and
 * demands come from the frameworks' sources; right and wrong values of each single field are tried in `everyField.test.ts` and
 * `fieldTable.test.ts`.
 */

function fixture<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(`../../fixtures/config/${name}`, import.meta.url), "utf8"));
}

interface RecordedVerl {
  readonly fields: readonly { readonly key: string; readonly constraints: readonly string[] }[];
  readonly crossField: readonly { readonly id: string }[];
}

const verl = fixture<RecordedVerl>("recordedVerl.json");
const constraints = fixture<readonly RecordedConstraint[]>("constraints.json");
const traps = fixture<readonly RecordedTrap[]>("traps.json");
const catalogue = readFileSync(new URL("../../../media/rules.md", import.meta.url), "utf8");

const demands = [
  ...verl.fields.flatMap(({ key, constraints: all }) => all.map((each) => ["verl", key, each] as const)),
  ...recordedFields.fields.flatMap(({ pathTrainScoped, pathModelScoped, constraints: all }) =>
    all.map((each) => ["VeOmni", pathTrainScoped ?? pathModelScoped ?? "", each] as const),
  ),
];

function codesIn(text: string): readonly string[] {
  return checkDocument(examplePath, text)?.diagnostics.map(({ code }) => code) ?? ["not checked"];
}

function inCatalogue(text: string): boolean {
  return catalogue.includes(escaped(text));
}

function inTable(cell: string): boolean {
  return catalogue.includes(`| ${escaped(cell)} |`);
}

/** As Markdown has it in a cell of a table. */
function escaped(text: string): string {
  return text.replace(/[*_<>`[\]]/g, "\\$&").replaceAll("|", "\\|");
}

describe("every demand on a field", () => {
  it.each(demands)("%s %s: %s", (framework, field, constraint) => {
    const found = constraints.filter(
      (each) => each.framework === framework && each.field === field && each.constraint === constraint,
    );
    expect(found).toHaveLength(1);
    const [{ code, wrong, right, outOfReach } = {} as RecordedConstraint] = found;
    expect(inCatalogue(constraint)).toBe(true);
    if (outOfReach !== undefined) {
      expect([outOfReach.length > 20, code, wrong, right]).toEqual([true, undefined, undefined, undefined]);
      return;
    }
    expect(codesIn(wrong ?? "")).toContain(code);
    expect(codesIn(right ?? "")).not.toContain(code);
  });

  it("is recorded: nothing else is listed", () => {
    expect(constraints).toHaveLength(demands.length);
  });

  it("leaves out of reach only what a machine, a model, a version or the run decides", () => {
    expect(constraints.filter(({ outOfReach }) => outOfReach !== undefined).length).toBeLessThan(
      demands.length / 3 + 5,
    );
  });
});

describe("every recorded rule", () => {
  const codes = new Set(ruleGroups.flatMap(({ rules }) => rules.map(({ code }) => code)));
  it.each([...verl.crossField, ...recordedFields.crossField].map(({ id }) => id))(
    "%s is one of ours, in the docs",
    (id) => {
      expect(codes.has(id)).toBe(true);
      expect(catalogue).toContain(`### ${id}\n`);
    },
  );
});

describe("every recorded field and trap", () => {
  it("stands in the docs", () => {
    const keys = [...verl.fields.map(({ key }) => key)].filter((key) => verlEngineTable.removed(key) === undefined);
    expect(keys.filter((key) => !inTable(key))).toEqual([]);
    const paths = recordedFields.fields.map(
      ({ pathTrainScoped, pathModelScoped }) => pathModelScoped ?? pathTrainScoped,
    );
    expect(paths.filter((path) => !inTable(path ?? ""))).toEqual([]);
    expect(traps.filter(({ what }) => !inCatalogue(what)).map(({ what }) => what)).toEqual([]);
  });

  it("is told wrong and right: the traps hold files of both kinds", () => {
    const clean = traps.filter(({ findings }) => findings.length === 0);
    expect(clean.length).toBeGreaterThan(30);
    expect(traps.length - clean.length).toBeGreaterThan(80);
  });
});
