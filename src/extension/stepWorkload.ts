import type * as vscode from "vscode";
import type { OffloadSettings } from "../core/config/document/offloadSettings.js";
import { type JobStep, jobStep } from "../core/workload/jobStep.js";
import { givenWorkload } from "./settings.js";

/** What runs in a step of a document's block: the settings of profiles, else the job of the block, else the defaults. */
export function stepOf(uri: vscode.Uri | undefined, block: OffloadSettings | undefined): JobStep {
  return jobStep(givenWorkload(uri), block);
}
