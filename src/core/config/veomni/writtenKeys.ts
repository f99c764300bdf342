import type { ConfigDocument } from "../document/configDocument.js";
import { asMapping, type MappingNode } from "../document/configNode.js";
import type { Written } from "../rules/field.js";
import { fieldAt } from "./fields/fieldTable.js";
import type { TrainingField } from "./fields/trainingField.js";
import type { LayoutId } from "./layout.js";

/** One key as a file writes it, with the row of the file's layout; what stands below a key without one is left out. */
export type WrittenKey = Written<TrainingField>;

const maxKeys = 20_000;
/** Omni models name their modules freely; only `accelerator` and `optimizer` below a name are described. */
const modulesPath = /^model\.modules(?:\.([^.]+)(?:\.([^.]+))?)?$/;

/** Every key that the layout could look at, in text order: free mappings are not entered, and at most 20,000 keys are listed. */
export function writtenKeys(document: ConfigDocument, layout: LayoutId): readonly WrittenKey[] {
  const root = asMapping(document.root);
  const found: WrittenKey[] = [];
  if (root !== undefined) visit(root, "", layout, found);
  return found;
}

function visit(container: MappingNode, prefix: string, layout: LayoutId, found: WrittenKey[]): void {
  for (const entry of container.entries) {
    if (found.length >= maxKeys) return;
    const path = prefix === "" ? entry.key : `${prefix}.${entry.key}`;
    const field = entry.key.includes(".") ? undefined : fieldAt(layout, path);
    const nested = asMapping(entry.value);
    if (isModules(layout, path)) {
      if (nested !== undefined) visit(nested, path, layout, found);
      continue;
    }
    if (field === undefined) {
      if (!isFreeModuleMember(layout, path)) found.push({ path, entry, container });
      continue;
    }
    found.push({ path, entry, container, field });
    if (field.type === "map" && nested !== undefined) visit(nested, path, layout, found);
  }
}

function hasModules(layout: LayoutId): boolean {
  return fieldAt(layout, "model.modules.<name>.accelerator") !== undefined;
}

function isModules(layout: LayoutId, path: string): boolean {
  const match = modulesPath.exec(path);
  return match !== null && match[2] === undefined && hasModules(layout);
}

function isFreeModuleMember(layout: LayoutId, path: string): boolean {
  return modulesPath.exec(path)?.[2] !== undefined && hasModules(layout);
}
