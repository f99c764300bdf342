import * as vscode from "vscode";
import { visibleLine } from "../../core/base/visibleText.js";
import type { ConfigSymbol } from "../../core/config/assist/configSymbols.js";
import { analyse } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";

const KINDS: Readonly<Record<ConfigSymbol["kind"], vscode.SymbolKind>> = {
  engine: vscode.SymbolKind.Class,
  block: vscode.SymbolKind.Module,
  key: vscode.SymbolKind.Property,
  list: vscode.SymbolKind.Array,
  pattern: vscode.SymbolKind.String,
};

/** The outline of a config: blocks, keys and patterns. */
export const configSymbols: vscode.DocumentSymbolProvider = {
  async provideDocumentSymbols(document) {
    const { reading } = await analyse(document);
    return reading?.symbols.map((symbol) => toEditor(document, symbol));
  },
};

function toEditor(document: vscode.TextDocument, symbol: ConfigSymbol): vscode.DocumentSymbol {
  const { name, detail, kind, span, nameSpan, children } = symbol;
  const shown = new vscode.DocumentSymbol(
    visibleLine(name),
    visibleLine(detail),
    KINDS[kind],
    rangeOf(document, span),
    rangeOf(document, nameSpan),
  );
  shown.children = children.map((child) => toEditor(document, child));
  return shown;
}
