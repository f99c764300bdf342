import type * as vscode from "vscode";
import type { ReferenceLink } from "../../core/config/assist/references.js";
import { analyse } from "../document/documentAnalysis.js";
import { rangeOf } from "../document/spans.js";

/** From an interpolation to the key that it names, and from an alias to its anchor. */
export const configDefinition: vscode.DefinitionProvider = {
  async provideDefinition(document, position): Promise<vscode.DefinitionLink[] | undefined> {
    const offset = document.offsetAt(position);
    const { reading } = await analyse(document);
    const link = reading?.links
      .filter(({ span }) => span.start <= offset && offset <= span.end)
      .reduce<ReferenceLink | undefined>(innermost, undefined);
    if (link === undefined) return undefined;
    const range = rangeOf(document, link.target);
    return [{ originSelectionRange: rangeOf(document, link.span), targetUri: document.uri, targetRange: range }];
  },
};

function innermost(best: ReferenceLink | undefined, link: ReferenceLink): ReferenceLink {
  if (best === undefined) return link;
  return link.span.end - link.span.start < best.span.end - best.span.start ? link : best;
}
