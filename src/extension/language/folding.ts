import * as vscode from "vscode";
import { analyse } from "../document/documentAnalysis.js";

/** Folds of blocks, lists and comments; other files keep the editor's own folding. */
export const configFolding: vscode.FoldingRangeProvider = {
  async provideFoldingRanges(document) {
    const { reading } = await analyse(document);
    return reading?.folds.map(
      ({ startLine, endLine, kind }) =>
        new vscode.FoldingRange(
          startLine,
          Math.min(endLine, document.lineCount - 1),
          kind === "comment" ? vscode.FoldingRangeKind.Comment : undefined,
        ),
    );
  },
};
