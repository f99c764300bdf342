import type * as vscode from "vscode";
import { checkDocument } from "../core/config/check.js";
import type { Diagnostic } from "../core/config/diagnostic.js";
import { type OffloadSettings, readOffloadSettings } from "../core/config/offloadSettings.js";

/** What core knows about one version of a document. */
export interface DocumentAnalysis {
  /** `undefined` for files that are none of ours; they get nothing. */
  readonly dialect: string | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly settings: readonly OffloadSettings[];
}

const cache = new WeakMap<vscode.TextDocument, { version: number; analysis: DocumentAnalysis }>();

/** Analyses a document; every feature that asks about the same version shares one analysis. */
export function analyse(document: vscode.TextDocument): DocumentAnalysis {
  const cached = cache.get(document);
  if (cached?.version === document.version) return cached.analysis;
  const analysis = analyseText(document.uri.path, document.getText());
  cache.set(document, { version: document.version, analysis });
  return analysis;
}

function analyseText(path: string, text: string): DocumentAnalysis {
  const checked = checkDocument(path, text);
  if (checked === undefined) return { dialect: undefined, diagnostics: [], settings: [] };
  const settings = readOffloadSettings(path, text, process.env);
  return { dialect: checked.dialect, diagnostics: checked.diagnostics, settings };
}

/** Documents that the features look at: YAML of any file system, also unsaved. */
export function isConfigCandidate(document: vscode.TextDocument): boolean {
  return document.languageId === "yaml";
}
