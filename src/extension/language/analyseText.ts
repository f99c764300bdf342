import { type DocumentReading, readDocument } from "../../core/config/assist/documentReading.js";
import type { CheckOptions } from "../../core/config/check.js";
import { checkDocument } from "../../core/config/check.js";
import { withSharedParse } from "../../core/config/document/configDocument.js";
import type { Diagnostic } from "../../core/config/document/diagnostic.js";
import type { OffloadSettings } from "../../core/config/document/offloadSettings.js";
import { readOffloadSettings } from "../../core/config/readOffloadSettings.js";

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

/** The analysis of a file that is none of ours. */
export const nothingKnown: DocumentAnalysis = { dialect: undefined, diagnostics: [], settings: [] };

/** Runs every rule and reads the offload settings and what the editor's features need. */
export function analyseText(request: AnalysisRequest): DocumentAnalysis {
  return withSharedParse(() => analyse(request));
}

function analyse({ path, isYaml, text, options }: AnalysisRequest): DocumentAnalysis {
  const checked = checkDocument(path, text, options);
  const reading = isYaml ? readDocument(path, text, process.env, options.layout) : undefined;
  const dialect = checked?.dialect ?? reading?.outline.dialect;
  if (dialect === undefined) return nothingKnown;
  return {
    dialect,
    diagnostics: checked?.diagnostics ?? [],
    settings: readOffloadSettings(path, text, process.env, options),
    ...(reading === undefined ? {} : { reading }),
  };
}
