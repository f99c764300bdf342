import type { ConfigDocument, SyntaxProblem } from "../configDocument.js";
import type { Diagnostic, TextSpan } from "../diagnostic.js";
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
  MULTILINE_IMPLICIT_KEY: "A key must end on the line on which it starts. Is a colon missing?",
};

/** Reports what the parser could not read, except inside `explained`: places that a rule has described better. */
export function syntaxDiagnostics(document: ConfigDocument, explained: readonly TextSpan[]): readonly Diagnostic[] {
  return document.syntaxProblems
    .filter((problem) => !explained.some((span) => touches(problem, span)))
    .map((problem) =>
      diagnosticOf(yamlSyntaxFacts.code, {
        span: problem.span,
        severity: "error",
        message: `The file does not load: ${messages[problem.code] ?? `${problem.message}.`}`,
      }),
    );
}

function touches(problem: SyntaxProblem, span: TextSpan): boolean {
  return problem.span.start >= span.start && problem.span.start <= span.end;
}
