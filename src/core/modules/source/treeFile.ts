import { z } from "zod";
import { fail, type Outcome, succeed } from "../../base/outcome.js";
import { parseJsonBytes } from "../../base/utf8.js";
import { readDimensions } from "../dimensions.js";
import type { ModuleTree } from "../tree.js";

const maxModules = 1_000_000;
const maxNameLength = 4096;
const maxLength = 1_000_000;

const name = z.string().max(maxNameLength);
/** Alias to name, or name to its aliases. */
const pairs = z.union([z.array(z.tuple([name, name])), z.record(name, z.union([name, z.array(name)]))]);
const lengths = z.union([z.array(z.tuple([name, length()])), z.record(name, length())]);
const names = z.array(name).max(maxModules);

const treeFileSchema = z.object({
  model_type: z.string().nullish(),
  architecture: z.string().nullish(),
  no_split_modules: z.array(z.string()).nullish(),
  containers: names.nullish(),
  module_dicts: names.nullish(),
  named_modules: z.array(z.union([z.tuple([name, name.nullable()]), z.tuple([name])])).max(maxModules),
  aliases: pairs.nullish(),
  none_attributes: names.nullish(),
  sized_attributes: lengths.nullish(),
  container_lengths: lengths.nullish(),
  config: z.record(z.string(), z.unknown()).nullish(),
});

type TreeFile = z.infer<typeof treeFileSchema>;

/**
 * Reads a module tree that a user or the dump script wrote: one JSON object with `named_modules` as `[name, class]` pairs in
 * `named_modules()` order, and optionally `model_type`, `architecture`, `no_split_modules`, `containers`, `module_dicts`,
 * `aliases`, `none_attributes`, `sized_attributes`, `container_lengths` and `config` (for sizes). Other members are ignored.
 * Fails with `TREE_FILE_NOT_JSON`, `TREE_FILE_INVALID` or `TREE_FILE_DUPLICATE`.
 */
export function readTreeFile(bytes: Uint8Array): Outcome<ModuleTree> {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    return refuse("TREE_FILE_NOT_JSON", "The module tree is gzip data.", "Decompress the file first.");
  }
  const parsed = parseJsonBytes(bytes);
  if ("cause" in parsed) {
    const next = "Write it again with the dump script.";
    return refuse("TREE_FILE_NOT_JSON", "The module tree cannot be read.", next, parsed.cause);
  }
  const checked = treeFileSchema.safeParse(parsed.value);
  if (!checked.success) return invalid(checked.error);
  const file = checked.data;
  const twice = firstDuplicate(file.named_modules.map((row) => row[0]));
  if (twice !== undefined) {
    return refuse(
      "TREE_FILE_DUPLICATE",
      `The module tree lists "${twice}" twice.`,
      "Write the tree again: every name is unique.",
    );
  }
  return succeed(treeOf(file));
}

function treeOf(file: TreeFile): ModuleTree {
  const optional = {
    ...(file.model_type == null ? {} : { modelType: file.model_type }),
    ...(file.architecture == null ? {} : { architecture: file.architecture }),
    ...(file.no_split_modules === undefined ? {} : { noSplitModules: file.no_split_modules ?? [] }),
    ...(file.aliases == null ? {} : { aliases: aliasesOf(file.aliases) }),
    ...(file.none_attributes == null ? {} : { noneAttributes: new Set(file.none_attributes) }),
    ...(file.sized_attributes == null ? {} : { sizedAttributes: mapOf(file.sized_attributes) }),
    ...(file.container_lengths == null ? {} : { containerLengths: mapOf(file.container_lengths) }),
  };
  const modules = file.named_modules.map(([moduleName, type]) =>
    type == null ? { name: moduleName } : { name: moduleName, type },
  );
  const uncertain = uncertaintiesOf(file);
  return {
    source: "tree-file",
    exact: uncertain.length === 0,
    uncertain,
    modules,
    ...(file.config == null ? {} : { dimensions: readDimensions(file.config) }),
    containers: new Set(file.containers ?? []),
    moduleDicts: new Set(file.module_dicts ?? []),
    ...optional,
  };
}

function uncertaintiesOf(file: TreeFile): string[] {
  const uncertain: string[] = [];
  if (file.named_modules.some((row) => row[1] == null))
    uncertain.push("Some class names are missing in the tree file.");
  if (file.containers == null)
    uncertain.push("The tree file does not list containers; they are told by their class names.");
  return uncertain;
}

function aliasesOf(aliases: NonNullable<TreeFile["aliases"]>): Map<string, string> {
  const entries = Array.isArray(aliases) ? aliases : Object.entries(aliases);
  return new Map(
    entries.flatMap(([key, value]): [string, string][] =>
      typeof value === "string" ? [[key, value]] : value.map((alias) => [alias, key]),
    ),
  );
}

function mapOf<V>(entries: readonly (readonly [string, V])[] | Readonly<Record<string, V>>): Map<string, V> {
  return Array.isArray(entries) ? new Map(entries) : new Map(Object.entries(entries));
}

function invalid(error: z.ZodError): Outcome<ModuleTree> {
  const issue = error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? "the file" : issue.path.join(".");
  const cause = `At ${where}: ${issue?.message ?? "unexpected value"}.`;
  const next = 'Give an object with "named_modules": [["", "Model"], ["model", "Inner"], …].';
  return refuse("TREE_FILE_INVALID", "The module tree does not have the expected form.", next, cause);
}

function refuse(code: string, message: string, nextStep: string, cause?: string): Outcome<never> {
  return fail(cause === undefined ? { code, message, nextStep } : { code, message, cause, nextStep });
}

function firstDuplicate(list: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return list.find((entry) => seen.size === seen.add(entry).size);
}

function length() {
  return z.number().int().min(0).max(maxLength);
}
