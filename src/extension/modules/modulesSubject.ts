import { basename } from "node:path";
import * as vscode from "vscode";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { defaultWorkload, type EffectWorkload } from "../../core/modules/estimate/estimate.js";
import type { DescribedConfig } from "../../core/modules/view/describe.js";
import { analyse, isConfigCandidate } from "../language/documentAnalysis.js";

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

/** What runs in a step: the block's own figures, else the settings of profiles, else the defaults. */
export function workloadOf(subject: ModulesSubject | undefined): EffectWorkload {
  const configuration = vscode.workspace.getConfiguration("offloadLens.profile", subject?.document.uri);
  const count = (name: string): number | undefined => {
    const value = configuration.get<number | null>(name);
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 1 ? value : undefined;
  };
  const { block } = subject ?? {};
  return {
    ...defaultWorkload,
    seqLen: count("seqLen") ?? defaultWorkload.seqLen,
    microBatch: count("microBatch") ?? block?.microBatch ?? defaultWorkload.microBatch,
    gradientCheckpointing: block?.gradientCheckpointing ?? defaultWorkload.gradientCheckpointing,
    cacheLimitGb: block?.cacheLimitGb ?? defaultWorkload.cacheLimitGb,
  };
}
