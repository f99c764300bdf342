import type * as vscode from "vscode";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import type { ModuleTree } from "../../core/modules/tree.js";
import { modelPathFor } from "../document/subject.js";
import { inTime } from "../inTime.js";
import { findModel } from "../model/findModel.js";
import type { TreeCache } from "../model/treeCache.js";

/** A list of suggestions does not wait longer for a model; it is asked for again while the user types. */
const LONGEST_WAIT_MS = 30;

/**
 * The module tree of the model that a block of a document trains: its own, else the first that the document names, else that of
 * the setting. `undefined` when there is none or it cannot be read; the code lens says why.
 */
export async function treeOfBlock(
  document: vscode.TextDocument,
  settings: readonly OffloadSettings[],
  blockPath: string | undefined,
  trees: TreeCache,
): Promise<ModuleTree | undefined> {
  const own = settings.find((block) => block.blockPath === blockPath);
  const search = await findModel(document, modelPathFor(settings, own));
  if (search.kind === "none") return undefined;
  const tree = await trees.treeOf(search.model);
  return tree.ok ? tree.value : undefined;
}

/** The tree if it is there within some milliseconds; loading goes on for the next time. */
export function soon<T>(answer: Promise<T>): Promise<{ readonly value: T } | undefined> {
  return inTime(answer, LONGEST_WAIT_MS);
}
