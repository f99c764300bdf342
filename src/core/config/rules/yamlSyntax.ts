import type { ConfigDocument } from "../document/configDocument.js";
import type { Diagnostic, TextSpan } from "../document/diagnostic.js";
import type { SyntaxProblem } from "../document/syntaxProblem.js";
import { engineExample } from "./example.js";
import { diagnosticOf, type RuleFacts } from "./rule.js";

/** A text that no YAML loader accepts. */
export const yamlSyntaxFacts: RuleFacts = {
  code: "yaml-syntax",
  severities: ["error"],
  explanation: "What YAML cannot read, no framework loads. Texts with braces, brackets or a leading star need quotes.",
  example: { ...engineExample("\tseed: 42"), right: engineExample("seed: 42").text },
};

const messages: Readonly<Record<string, string>> = {
  BAD_ALIAS: "A * in front makes an alias in YAML. Quote the text.",
  TAB_AS_INDENT: "YAML does not allow tabs for indentation. Use spaces.",
  BAD_INDENT: "The indentation does not fit any level above.",
  MULTIPLE_DOCS: "The file holds more than one YAML document; a config has exactly one.",
  BLOCK_AS_IMPLICIT_KEY: "A second `key:` on the same line needs a line of its own, or quotes around the text.",
  BAD_DQ_ESCAPE: "This is no escape of YAML. Write \\\\ for a backslash, or use single quotes.",
  BAD_SCALAR_START: "This character cannot start a text. Put quotes around the text that it belongs to.",
  BLOCK_IN_FLOW: "No block can stand in brackets or braces. Quote the text that its colon or dash belongs to.",
  MISSING_CHAR: "A colon, a comma, a bracket or a quote is missing here, or before this.",
  TAG_RESOLVE_FAILED: "A leading ! makes this a tag, and nothing says which. Quote the text if none was meant.",
  MULTILINE_IMPLICIT_KEY: "A key must end on the line on which it starts. Is a colon missing?",
};

/**
 * Reports what the parser could not read, except inside `explained`: places that a rule has described better. Of what stands
 * behind the end of the document only the first token is reported: all others are its consequence.
 */
export function syntaxDiagnostics(document: ConfigDocument, explained: readonly TextSpan[]): readonly Diagnostic[] {
  const firstBehind = document.syntaxProblems.find(isBehindDocument);
  return document.syntaxProblems
    .filter((problem) => problem === firstBehind || !isBehindDocument(problem))
    .filter((problem) => !explained.some((span) => touches(problem, span)))
    .map((problem) =>
      diagnosticOf(yamlSyntaxFacts.code, {
        span: problem.span,
        severity: "error",
        message: `The file does not load: ${messageOf(problem)}`,
      }),
    );
}

function messageOf(problem: SyntaxProblem): string {
  if (isBehindDocument(problem)) {
    return "the YAML above is complete before this, so nothing may follow. Is a bracket too many, or the indentation too small?";
  }
  if (isLeftOver(problem)) return "this does not belong here. Is a comma, a quote or a bracket missing before it?";
  return messages[problem.code] ?? `${problem.message}.`;
}

/** The parser complains about every single token between the end of the one document and the end of the text. */
function isBehindDocument({ code, message }: SyntaxProblem): boolean {
  return code === "UNEXPECTED_TOKEN" && message.includes("in YAML stream");
}

/** The parser's own words for what stands behind a value. */
function isLeftOver({ code, message }: SyntaxProblem): boolean {
  return code === "UNEXPECTED_TOKEN" && message.startsWith("Unexpected ");
}

function touches(problem: SyntaxProblem, span: TextSpan): boolean {
  return problem.span.start >= span.start && problem.span.start <= span.end;
}
