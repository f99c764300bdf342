import * as vscode from "vscode";
import { visibleLine } from "../../core/base/visibleText.js";
import type { Diagnostic, Severity } from "../../core/config/document/diagnostic.js";
import { isConfigCandidate } from "../document/configLanguages.js";
import { analyse } from "../document/documentAnalysis.js";
import { learnModels } from "../document/namedModels.js";
import { rangeOf } from "../document/spans.js";
import { learnLaunches } from "../document/workspaceLaunches.js";
import { whenModelMayChange } from "../model/modelDirectory.js";
import { whenSettingsChange } from "../settings.js";

/** Long enough to let a burst of typing pass, short enough to feel immediate. */
const DEBOUNCE_MS = 150;

/** What the Problems view names as source. */
export const DIAGNOSTIC_SOURCE = "Offload Lens";

const SEVERITIES: Readonly<Record<Severity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
  hint: vscode.DiagnosticSeverity.Hint,
};

/** Keeps the diagnostics of open config documents fresh: at once when opened, after a pause while typing, and when its model is known. */
export function registerDiagnostics(): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("offload-lens");
  const waiting = new Map<string, NodeJS.Timeout>();

  const refresh = async (document: vscode.TextDocument) => {
    const { version } = document;
    const { diagnostics, settings } = await analyse(document);
    // Whoever typed meanwhile gets the findings of the newer text.
    if (document.isClosed || document.version !== version) return;
    collection.set(
      document.uri,
      diagnostics.map((found) => toEditor(document, found)),
    );
    // Nobody waits for a config.json or for scripts; what they say comes later.
    const learnt = await Promise.all([learnModels(document, settings), learnLaunches(document, diagnostics)]);
    if (learnt.includes(true) && !document.isClosed) void refresh(document);
  };
  const forget = (document: vscode.TextDocument) => {
    clearTimeout(waiting.get(document.uri.toString()));
    waiting.delete(document.uri.toString());
  };
  const schedule = (document: vscode.TextDocument) => {
    forget(document);
    waiting.set(
      document.uri.toString(),
      setTimeout(() => {
        forget(document);
        if (!document.isClosed) void refresh(document);
      }, DEBOUNCE_MS),
    );
  };
  const open = (document: vscode.TextDocument) => {
    if (isConfigCandidate(document)) void refresh(document);
  };

  vscode.workspace.textDocuments.forEach(open);
  return vscode.Disposable.from(
    collection,
    vscode.workspace.onDidOpenTextDocument(open),
    whenSettingsChange(["layout", "hostMemoryGb"], () => vscode.workspace.textDocuments.forEach(open)),
    whenModelMayChange(() => vscode.workspace.textDocuments.forEach(open)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isConfigCandidate(document)) schedule(document);
    }),
    vscode.workspace.onDidCloseTextDocument((document) => {
      forget(document);
      collection.delete(document.uri);
    }),
    {
      dispose() {
        for (const timer of waiting.values()) clearTimeout(timer);
      },
    },
  );
}

/** A diagnostic of core as the editor shows it. */
export function toEditor(document: vscode.TextDocument, found: Diagnostic): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    rangeOf(document, found.span),
    visibleLine(found.message),
    SEVERITIES[found.severity],
  );
  diagnostic.code = found.code;
  diagnostic.source = DIAGNOSTIC_SOURCE;
  return diagnostic;
}
