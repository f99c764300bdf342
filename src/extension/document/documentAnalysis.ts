import { join } from "node:path";
import type * as vscode from "vscode";
import type { ConfigOutline } from "../../core/config/assist/outline.js";
import type { CheckOptions } from "../../core/config/check.js";
import { mightBeConfig } from "../../core/config/readConfig.js";
import type { Output } from "../output.js";
import { type AnalysisRequest, analyseText, type DocumentAnalysis } from "./analyseText.js";
import { AnalysisThread } from "./analysisThread.js";
import { areSameOptions, checkOptionsOf } from "./checkOptions.js";

export type { DocumentAnalysis } from "./analyseText.js";

/** Up to this many characters (about 1,600 lines) an analysis is faster than a question to another thread. */
const LONGEST_AT_ONCE = 64 * 1024;

interface Known {
  readonly version: number;
  readonly options: CheckOptions;
  readonly analysis: DocumentAnalysis;
  /** Of the last version that was recognised: a broken text may hide what the file is. */
  readonly outline: ConfigOutline | undefined;
}

interface Pending {
  readonly version: number;
  readonly options: CheckOptions;
  readonly answer: Promise<DocumentAnalysis>;
}

const known = new WeakMap<vscode.TextDocument, Known>();
const pending = new WeakMap<vscode.TextDocument, Pending>();
let thread: AnalysisThread | undefined;

/** Lets long documents be analysed in a thread of their own. Without it everything runs at once. */
export function startAnalysisThread(extensionUri: vscode.Uri, output: Output): vscode.Disposable {
  const started = new AnalysisThread(join(extensionUri.fsPath, "dist", "analysis.cjs"), (message) =>
    output.log.error(message),
  );
  thread = started;
  return {
    dispose() {
      started.dispose();
      if (thread === started) thread = undefined;
    },
  };
}

/**
 * Analyses a document as it is now; every feature that asks about the same version shares one analysis. The answer may be
 * that of a newer version when the document changes meanwhile.
 */
export async function analyse(document: vscode.TextDocument): Promise<DocumentAnalysis> {
  const options = checkOptionsOf(document);
  const cached = known.get(document);
  if (cached !== undefined && isOf(cached, document, options)) return cached.analysis;
  const waiting = pending.get(document);
  if (waiting !== undefined && isOf(waiting, document, options)) return waiting.answer;
  const text = document.getText();
  const request = { path: document.uri.path, isYaml: document.languageId === "yaml", text, options };
  if (thread === undefined || text.length <= LONGEST_AT_ONCE) {
    return remember(document, document.version, request, analyseText(request));
  }
  const { version } = document;
  const answer = thread
    .run(document.uri.toString(), request)
    .then((analysis) => remember(document, version, request, analysis));
  pending.set(document, { version, options, answer });
  return answer;
}

/** The newest finished analysis, at once: for features that must not wait. It may be of an older version. */
export function latestAnalysis(document: vscode.TextDocument): Known | undefined {
  return known.get(document);
}

/** What the file is, as far as that is known; short documents are looked at once for it. */
export async function outlineOf(document: vscode.TextDocument): Promise<ConfigOutline | undefined> {
  if (known.get(document) === undefined) {
    const answer = analyse(document);
    // A long document is opened: help comes when it has been read.
    if (thread === undefined || pending.get(document) === undefined) await answer;
  }
  return known.get(document)?.outline;
}

function isOf(found: Known | Pending, document: vscode.TextDocument, options: CheckOptions): boolean {
  return found.version === document.version && areSameOptions(found.options, options);
}

function remember(
  document: vscode.TextDocument,
  version: number,
  { path, text, options }: AnalysisRequest,
  analysis: DocumentAnalysis,
): DocumentAnalysis {
  const older = known.get(document);
  if (older !== undefined && older.version > version) return older.analysis;
  const isStillOurs = mightBeConfig(path, text);
  const outline = analysis.reading?.outline ?? (isStillOurs ? older?.outline : undefined);
  known.set(document, { version, options, analysis, outline });
  return analysis;
}
