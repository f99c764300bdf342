import * as vscode from "vscode";
import { type StepWorkload, stepWorkload } from "../../core/base/stepWorkload.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";

/** What runs in a step of a document's block: the settings of profiles, else the block's own figures, else the defaults. */
export function workloadOf(uri: vscode.Uri | undefined, block: OffloadSettings | undefined): StepWorkload {
  const settings = vscode.workspace.getConfiguration("offloadLens.profile", uri);
  const [seqLen, microBatch, layers] = ["seqLen", "microBatch", "layers"].map((name) => settings.get<unknown>(name));
  return stepWorkload({ seqLen, microBatch, layers }, block);
}
