import * as vscode from "vscode";
import { complete } from "../../core/config/assist/complete.js";
import { lineContextAt } from "../../core/config/assist/lineContext.js";
import type { Suggestion } from "../../core/config/assist/suggestion.js";
import type { ModuleTree } from "../../core/modules/tree.js";
import { latestAnalysis, outlineOf } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";
import type { TreeCache } from "../model/treeCache.js";
import { soon, treeOfBlock } from "./documentModel.js";

const KINDS: Readonly<Record<Suggestion["kind"], vscode.CompletionItemKind>> = {
  key: vscode.CompletionItemKind.Property,
  value: vscode.CompletionItemKind.EnumMember,
  pattern: vscode.CompletionItemKind.Operator,
  module: vscode.CompletionItemKind.Module,
  class: vscode.CompletionItemKind.Class,
  snippet: vscode.CompletionItemKind.Snippet,
};

/** Suggestions for keys, values, patterns and module names. Waits for no parse: what the file is was learnt before. */
export class ConfigCompletion implements vscode.CompletionItemProvider {
  static readonly triggerCharacters: readonly string[] = [".", '"', "'", "[", " ", "="];

  constructor(private readonly trees: TreeCache) {}

  async provideCompletionItems(
    document: vscode.TextDocument,
    position: vscode.Position,
    _token: vscode.CancellationToken,
    context: vscode.CompletionContext,
  ): Promise<vscode.CompletionList | undefined> {
    const outline = await outlineOf(document);
    const text = document.getText();
    const offset = document.offsetAt(position);
    const tree = outline === undefined ? { value: undefined } : await soon(this.#treeAt(document, text, offset));
    const suggestions = complete(text, offset, outline, tree?.value);
    // Blanks are typed to indent: only a value is worth a list that nobody asked for.
    const wanted = context.triggerCharacter === " " ? suggestions.filter(isValue) : suggestions;
    if (wanted.length === 0) return undefined;
    const items = wanted.map((suggestion) => toEditor(document, suggestion));
    return new vscode.CompletionList(items, tree === undefined || wanted.some(({ kind }) => kind === "module"));
  }

  /** The model of the block whose list or key is written. */
  #treeAt(document: vscode.TextDocument, text: string, offset: number): Promise<ModuleTree | undefined> {
    const settings = latestAnalysis(document)?.analysis.settings ?? [];
    const blockPath = lineContextAt(text, offset)?.path.slice(0, -1).join(".");
    return treeOfBlock(document, settings, blockPath, this.trees);
  }
}

function isValue({ kind }: Suggestion): boolean {
  return kind !== "key" && kind !== "snippet";
}

function toEditor(document: vscode.TextDocument, suggestion: Suggestion): vscode.CompletionItem {
  const item = new vscode.CompletionItem(suggestion.label, KINDS[suggestion.kind]);
  item.range = rangeOf(document, suggestion.span);
  item.insertText = suggestion.isSnippet ? new vscode.SnippetString(suggestion.insertText) : suggestion.insertText;
  item.sortText = suggestion.sortText;
  item.preselect = suggestion.preselect === true;
  if (suggestion.filterText !== undefined) item.filterText = suggestion.filterText;
  if (suggestion.detail !== undefined) item.detail = suggestion.detail;
  if (suggestion.documentation !== undefined) item.documentation = new vscode.MarkdownString(suggestion.documentation);
  return item;
}
