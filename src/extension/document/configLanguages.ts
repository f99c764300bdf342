import type * as vscode from "vscode";

const LANGUAGES = ["yaml", "shellscript", "markdown"];

/** YAML, and where overrides and flags are written: of any file system, also unsaved. */
export const CONFIG_LANGUAGES: vscode.DocumentSelector = LANGUAGES.map((language) => ({ language }));
export const YAML: vscode.DocumentSelector = { language: "yaml" };

/** Documents that the features look at. */
export function isConfigCandidate(document: vscode.TextDocument): boolean {
  return LANGUAGES.includes(document.languageId);
}
