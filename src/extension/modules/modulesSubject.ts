import { basename } from "node:path";
import type * as vscode from "vscode";
import { defaultWorkload, type EstimateWorkload } from "../../core/modules/estimate/estimateWorkload.js";
import type { DescribedConfig } from "../../core/modules/view/describe.js";
import { shareOfGpu, stepSources, stepText } from "../../core/workload/jobStep.js";
import { isConfigCandidate } from "../document/configLanguages.js";
import { modelPathFor, type Subject, subjectIn } from "../document/subject.js";
import { stepOf } from "../stepWorkload.js";

/** The configuration that the Modules view is about. */
export interface ModulesSubject extends Subject {
  readonly described: DescribedConfig;
  /** The model that the file names, for this block or else any. */
  readonly modelPath: string | undefined;
}

/** `undefined` for a document that configures no engine block. `wanted` is the block that the user chose. */
export async function modulesSubjectOf(
  document: vscode.TextDocument,
  wanted: string | undefined,
): Promise<ModulesSubject | undefined> {
  if (!isConfigCandidate(document)) return undefined;
  const subject = await subjectIn(document, wanted);
  if (subject === undefined) return undefined;
  const { block, settings } = subject;
  const blocks = settings.map(({ blockPath }) => blockPath);
  const fileName = basename(document.uri.path);
  const modelPath = modelPathFor(settings, block);
  return { ...subject, described: { fileName, settings: block, blocks }, modelPath };
}

/** What runs in a step, with what the block says about it. */
export function estimateWorkloadOf(subject: ModulesSubject | undefined): EstimateWorkload {
  const { block } = subject ?? {};
  const step = stepOf(subject?.document.uri, block);
  const { sequenceParallel } = step;
  const shared = sequenceParallel > 1 ? ` over ${sequenceParallel} ranks` : "";
  const sources = stepSources(step).slice(0, -1);
  return {
    ...defaultWorkload,
    ...shareOfGpu(step),
    layers: step.layers.value,
    text: `${stepText(step)}${shared}. ${sources.join(" ")}`,
    gradientCheckpointing: block?.gradientCheckpointing ?? defaultWorkload.gradientCheckpointing,
    cacheLimitGb: block?.cacheLimitGb ?? defaultWorkload.cacheLimitGb,
  };
}
