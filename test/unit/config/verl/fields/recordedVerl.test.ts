import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkDocument } from "../../../../../src/core/config/check.js";
import { verlEngineTable } from "../../../../../src/core/config/verl/fields/verlEngine.js";
import { verlOptimizerTable } from "../../../../../src/core/config/verl/fields/verlOptimizer.js";
import { blockRules } from "../../../../../src/core/config/verl/rules/registry.js";

interface RecordedField {
  readonly key: string;
  readonly type: string;
  readonly nullable?: boolean;
  readonly yamlDefault: unknown;
  readonly allowed: readonly string[] | null;
  readonly constraints?: readonly string[];
}

interface RecordedVerl {
  readonly fields: readonly RecordedField[];
  readonly optimizerFields: readonly RecordedField[];
  readonly crossField: readonly { readonly id: string; readonly severity: string }[];
  readonly removedOrForeign: readonly string[];
  readonly refInterpolatedKeys: readonly string[];
  readonly refNotFollowing: readonly string[];
}

/** What was read in verl's sources: keys, types, defaults, values, rules. */
const recorded: RecordedVerl = JSON.parse(
  readFileSync(new URL("../../../../fixtures/config/recordedVerl.json", import.meta.url), "utf8"),
);

/** `activation_gpu_limit` is gone since verl #7724. */
const engineFields = recorded.fields.filter(({ key }) => verlEngineTable.removed(key) === undefined);
const rows = [
  ...engineFields.map((field) => ["engine", field.key, field, verlEngineTable] as const),
  ...recorded.optimizerFields.map((field) => ["optimizer", field.key, field, verlOptimizerTable] as const),
];

describe("verl's tables", () => {
  it("hold each recorded key once, and no other", () => {
    expect(verlEngineTable.fields.map(({ key }) => key).sort()).toEqual(engineFields.map(({ key }) => key).sort());
    expect(
      verlOptimizerTable.fields
        .map(({ key }) => key)
        .filter((key) => key !== "_target_")
        .sort(),
    ).toEqual(
      recorded.optimizerFields
        .map(({ key }) => key)
        .filter((key) => key !== "_target_")
        .sort(),
    );
  });

  it.each(rows)("describe the %s key %s as recorded", (_table, key, field, table) => {
    const own = table.field(key);
    expect(own?.type).toBe(field.type.replace(/^float\|.*/, "float"));
    if (field.constraints !== undefined) expect(own?.constraints).toEqual(field.constraints);
    if (field.nullable !== undefined) expect(own?.nullable).toBe(field.nullable);
    if (field.yamlDefault === "ABSENT") expect(own?.yamlDefault).toBeUndefined();
    else if (field.yamlDefault !== undefined) expect(own?.yamlDefault).toEqual(field.yamlDefault);
    expect((field.allowed ?? []).filter((value) => !own?.allowed?.values.includes(value))).toEqual([]);
  });

  it("say which keys the reference takes over", () => {
    const following = verlEngineTable.fields.filter((field) =>
      /^(?:oc\.select|interpolates)/.test(field.refFollowsActor ?? ""),
    );
    expect(following.map(({ key }) => key).sort()).toEqual([...recorded.refInterpolatedKeys].sort());
  });

  it.each(recorded.refNotFollowing)("do not let the reference follow in %s", (key) => {
    expect(verlEngineTable.field(key)).toBeDefined();
    expect(recorded.refInterpolatedKeys).not.toContain(key);
  });

  it.each(recorded.crossField)("have a rule for $id, $severity", ({ id, severity }) => {
    const rule = blockRules.find(({ code }) => code === id);
    expect(rule?.severities).toContain(severity);
  });

  it.each(recorded.removedOrForeign)("explain %s, and fix it", (key) => {
    const text = `_target_: verl.workers.config.VeOmniEngineConfig\n${key}: 1\n`;
    const found = checkDocument("experiment.yaml", text)?.diagnostics.find(({ span }) =>
      text.slice(span.start).startsWith(key),
    );
    expect(["removed-key", "foreign-key", "misplaced-key"]).toContain(found?.code);
    expect(found?.severity).toBe("error");
    expect(found?.fixes.length).toBeGreaterThan(0);
  });
});
