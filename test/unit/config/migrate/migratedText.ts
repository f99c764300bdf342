import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { parse } from "yaml";
import type { TextEdit } from "../../../../src/core/config/document/diagnostic.js";
import { migrateDocument } from "../../../../src/core/config/migrate/migrateDocument.js";
import type { Migration, MigrationTarget } from "../../../../src/core/config/migrate/migration.js";

/** A path that names no file of any known tree, so that only the content decides. */
export const anyPath = "experiments/run.yaml";

/** A file of test/fixtures/config/migrate. */
export function fixture(name: string): string {
  return readFileSync(new URL(`../../../fixtures/config/migrate/${name}`, import.meta.url), "utf8");
}

/** The migration of a text that must succeed; its edits are applied and must give its text. */
export function migrated(text: string, to: MigrationTarget, path = anyPath): Migration {
  const outcome = migrateDocument(path, text, to);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problem, undefined, 1));
  expect(applyEdits(text, outcome.value.edits)).toBe(outcome.value.text);
  return outcome.value;
}

/** The problem of a migration that must fail. */
export function refused(text: string, to: MigrationTarget, path = anyPath) {
  const outcome = migrateDocument(path, text, to);
  if (outcome.ok) throw new Error(`it succeeded:\n${outcome.value.text}`);
  return outcome.problem;
}

/** Every comment of a text, sorted; strings of the tests hold no `#`. */
export function commentsOf(text: string): readonly string[] {
  return [...text.matchAll(/(?:^|\s)(#[^\r\n]*)/gm)].map((match) => (match[1] ?? "").trim()).sort();
}

/** What a plain YAML loader sees. */
export function loaded(text: string): unknown {
  return parse(text, { version: "1.1", merge: true });
}

/** The loaded value at a dotted path, `undefined` when there is none. */
export function valueAt(data: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((node, key) => {
    return typeof node === "object" && node !== null ? (node as Record<string, unknown>)[key] : undefined;
  }, data);
}

function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let limit = text.length;
  let result = text;
  for (const { span, newText } of [...edits].reverse()) {
    if (span.start > span.end || span.end > limit) throw new Error("edits overlap, or leave the text");
    limit = span.start;
    result = result.slice(0, span.start) + newText + result.slice(span.end);
  }
  return result;
}
