import * as vscode from "vscode";
import type { Diagnostic } from "../../core/config/document/diagnostic.js";
import { type Launch, startOf } from "../../core/config/document/launch.js";
import { launchesIn } from "../../core/config/overrides/launches.js";
import { foreignFolders, readSource } from "./workspaceText.js";

const MOST_SCRIPTS = 500;
/** Scripts are read again after this time. */
const LAUNCHES_AGE_MS = 10_000;

interface Learnt {
  readonly readAt: number;
  readonly launches: readonly Launch[];
}

const learnt = new WeakMap<vscode.TextDocument, Learnt>();
const none: readonly Launch[] = [];

/** The commands that start a document, as far as scripts have been read; the same value until more is known. */
export function launchesOf(document: vscode.TextDocument): readonly Launch[] {
  return learnt.get(document)?.launches ?? none;
}

/**
 * Reads the scripts of the workspace for commands that start a document, where a key is missing that a flag may give. True when
 * `launchesOf` gives something else from now on: then whoever used it has to look again.
 */
export async function learnLaunches(
  document: vscode.TextDocument,
  diagnostics: readonly Diagnostic[],
): Promise<boolean> {
  const before = learnt.get(document);
  if (before === undefined && !diagnostics.some(({ code }) => code === "missing-key")) return false;
  if (before !== undefined && Date.now() - before.readAt < LAUNCHES_AGE_MS) return false;
  const readAt = Date.now();
  const scripts = await vscode.workspace.findFiles("**/*.{sh,bash}", foreignFolders, MOST_SCRIPTS);
  const sources = await Promise.all(scripts.map((uri) => readSource(uri)));
  const found = sources
    .flatMap((source) => (source === undefined ? [] : launchesIn(source.path, source.text)))
    .filter((launch) => startOf(launch, document.uri.path) !== "none");
  const known = launchesOf(document);
  const isSame = JSON.stringify(known) === JSON.stringify(found);
  learnt.set(document, { readAt, launches: isSame ? known : found });
  return !isSame;
}
