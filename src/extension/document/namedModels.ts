import type * as vscode from "vscode";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import type { KnownModels, ModelFacts } from "../../core/modules/families/familyKernels.js";
import { maxNamedModels, modelFacts } from "../../node/modelFacts.js";
import { findModel } from "../model/findModel.js";

/** config.json of a model hardly ever changes; it is read again after this time. */
const FACTS_AGE_MS = 5_000;

interface Learnt {
  /** The models as the document writes them. */
  readonly written: string;
  readonly readAt: number;
  readonly models: KnownModels;
}

const learnt = new WeakMap<vscode.TextDocument, Learnt>();
const nothing: KnownModels = new Map();

/** What config.json says of the models that a document names, as far as it has been read; the same value until more is known. */
export function namedModels(document: vscode.TextDocument): KnownModels {
  return learnt.get(document)?.models ?? nothing;
}

/**
 * Reads what config.json says of the models that the blocks of a document name. True when `namedModels` gives something else from now
 * on: then whoever used it has to look again. Models that only the setting names are none of the document's. Never rejects.
 */
export async function learnModels(
  document: vscode.TextDocument,
  settings: readonly OffloadSettings[],
): Promise<boolean> {
  const paths = [...new Set(settings.flatMap(({ modelPath }) => modelPath ?? []))].slice(0, maxNamedModels);
  const written = JSON.stringify(paths);
  const before = learnt.get(document);
  if (before?.written === written && Date.now() - before.readAt < FACTS_AGE_MS) return false;
  const readAt = Date.now();
  const found = new Map<string, ModelFacts>();
  for (const path of paths) {
    const facts = await factsOf(document, path);
    if (facts !== undefined) found.set(path, facts);
  }
  const known = namedModels(document);
  const isSame = JSON.stringify([...known]) === JSON.stringify([...found]);
  learnt.set(document, { written, readAt, models: isSame ? known : found });
  return !isSame;
}

async function factsOf(document: vscode.TextDocument, path: string): Promise<ModelFacts | undefined> {
  const search = await findModel(document, path);
  if (search.kind === "none" || search.model.origin !== "config") return undefined;
  return modelFacts(search.model.request);
}
