import { basename } from "node:path";
import type * as vscode from "vscode";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { defaultWorkload, type EffectWorkload } from "../../core/modules/estimate/estimate.js";
import type { DescribedConfig } from "../../core/modules/view/describe.js";
import { analyse, isConfigCandidate } from "../language/documentAnalysis.js";
import { workloadOf } from "../profile/stepWorkload.js";

/** The configuration that the Modules view is about: a document with the engine block that decides. */
export interface ModulesSubject {
  readonly document: vscode.TextDocument;
  readonly block: OffloadSettings;
  readonly described: DescribedConfig;
  /** The model that the file names, for this block or else any. */
  readonly modelPath: string | undefined;
}

/** `undefined` for a document that configures no engine block. `wanted` is the block that the user chose. */
export async function subjectOf(
  document: vscode.TextDocument,
  wanted: string | undefined,
): Promise<ModulesSubject | undefined> {
  if (!isConfigCandidate(document)) return undefined;
  const { settings } = await analyse(document);
  const block =
    settings.find(({ blockPath }) => blockPath === wanted) ??
    settings.find(({ enabled }) => enabled === true) ??
    settings.find(({ modulesKeySpan }) => modulesKeySpan !== undefined) ??
    settings[0];
  if (block === undefined) return undefined;
  const blocks = settings.map(({ blockPath }) => blockPath);
  const fileName = basename(document.uri.path);
  const modelPath = block.modelPath ?? settings.find((other) => other.modelPath !== undefined)?.modelPath;
  return { document, block, described: { fileName, settings: block, blocks }, modelPath };
}

/** What runs in a step, with what the block says about it. */
export function estimateWorkloadOf(subject: ModulesSubject | undefined): EffectWorkload {
  const { block } = subject ?? {};
  const { seqLen, microBatch, layers } = workloadOf(subject?.document.uri, block);
  return {
    ...defaultWorkload,
    seqLen: seqLen.value,
    microBatch: microBatch.value,
    layers: layers.value,
    gradientCheckpointing: block?.gradientCheckpointing ?? defaultWorkload.gradientCheckpointing,
    cacheLimitGb: block?.cacheLimitGb ?? defaultWorkload.cacheLimitGb,
  };
}
