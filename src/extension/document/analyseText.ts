import type { Line } from "../../core/channel.js";
import { type DocumentReading, readingOf } from "../../core/config/assist/documentReading.js";
import { type CheckOptions, checkConfig } from "../../core/config/check.js";
import type { Diagnostic } from "../../core/config/document/diagnostic.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { dialectOf, readConfig, settingsOf } from "../../core/config/readConfig.js";

/** What core knows about one version of a document. Plain data: it also comes from another thread. */
export interface DocumentAnalysis {
  /** `undefined` for files that are none of ours; they get nothing. */
  readonly dialect: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly settings: readonly OffloadSettings[];
  /** Of YAML only. */
  readonly reading?: DocumentReading;
}

/** A text to analyse. `path` decides for scripts and for files of the frameworks' own trees. */
export interface AnalysisRequest {
  readonly path: string;
  readonly isYaml: boolean;
  readonly text: string;
  readonly options: CheckOptions;
}

/** The line between the extension and the thread that analyses long documents. */
export interface AnalysisLine extends Line {
  readonly request: AnalysisRequest & { readonly kind: "analyse" };
  readonly answers: { readonly analyse: DocumentAnalysis };
  readonly progress: never;
  readonly told: never;
  readonly announced: never;
}

/** The analysis of a file that is none of ours. */
export const nothingKnown: DocumentAnalysis = { dialect: undefined, diagnostics: [], settings: [] };

/** Reads a text once, runs every rule, and says what the editor's features need. */
export function analyseText({ path, isYaml, text, options }: AnalysisRequest): DocumentAnalysis {
  const read = readConfig(path, text, options);
  if (read === undefined) return nothingKnown;
  return {
    dialect: dialectOf(read),
    diagnostics: checkConfig(read, options),
    settings: settingsOf(read, process.env),
    ...(isYaml && read.yaml !== undefined ? { reading: readingOf(read.yaml, process.env) } : {}),
  };
}
