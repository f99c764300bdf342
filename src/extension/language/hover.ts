import * as vscode from "vscode";
import { commandHoverAt } from "../../core/config/assist/commandHover.js";
import { type HoverText, hoverAt } from "../../core/config/assist/hover.js";
import { holdsOverrides, readCommands } from "../../core/config/overrides/calls.js";
import { latestAnalysis, outlineOf } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";
import type { TreeCache } from "../model/treeCache.js";
import { soon, treeOfBlock } from "./documentModel.js";

/** Explains keys, values and patterns of YAML, and the keys of overrides in scripts, Markdown and Hydra's own record. */
export class ConfigHover implements vscode.HoverProvider {
  constructor(private readonly trees: TreeCache) {}

  async provideHover(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Hover | undefined> {
    const offset = document.offsetAt(position);
    const { path } = document.uri;
    const found = holdsOverrides(path)
      ? inCommands(path, document.getText(), offset)
      : await this.#inYaml(document, offset);
    if (found === undefined) return undefined;
    return new vscode.Hover(new vscode.MarkdownString(found.markdown), rangeOf(document, found.span));
  }

  async #inYaml(document: vscode.TextDocument, offset: number): Promise<HoverText | undefined> {
    const outline = await outlineOf(document);
    if (outline === undefined) return undefined;
    const latest = latestAnalysis(document);
    const current = latest?.version === document.version ? latest.analysis.reading : undefined;
    const list = current?.patternLists.find(({ entries }) =>
      entries.some(({ span }) => span.start <= offset && offset <= span.end),
    );
    const settings = latest?.analysis.settings ?? [];
    const loading = treeOfBlock(document, settings, list?.blockPath, this.trees);
    // Over a pattern the model is the point, and the editor says that a hover is loading; elsewhere it only adds to the text.
    const tree = list === undefined ? (await soon(loading))?.value : await loading;
    return hoverAt(document.getText(), offset, {
      outline,
      ...(tree === undefined ? {} : { tree }),
      ...(list === undefined ? {} : { patterns: list.entries }),
    });
  }
}

function inCommands(path: string, text: string, offset: number): HoverText | undefined {
  const commands = readCommands(path, text);
  return commands && commandHoverAt(commands, offset);
}
