import type * as vscode from "vscode";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import type { ModuleTree } from "../../core/modules/tree.js";
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
  const own = settings.find((block) => block.blockPath === blockPath)?.modelPath;
  const written = own ?? settings.find((block) => block.modelPath !== undefined)?.modelPath;
  const search = await findModel(document, written);
  if (search.kind === "none") return undefined;
  const tree = await trees.treeOf(search.model.request);
  return tree.ok ? tree.value : undefined;
}

/** The tree if it is there within some milliseconds; loading goes on for the next time. */
export async function soon<T>(answer: Promise<T>): Promise<{ readonly value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LONGEST_WAIT_MS);
  });
  const first = await Promise.race([answer.then((value) => ({ value })), late]);
  clearTimeout(timer);
  return first;
}
