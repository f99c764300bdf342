import { composeYaml, type Refused } from "../yaml/composeYaml.js";
import { constructRefusal } from "../yaml/constructRefusal.js";
import { lineStartAt, withLineFeeds } from "../yaml/lineBreaks.js";
import type { YamlReader } from "../yaml/plainScalar.js";
import { charactersRefused, withoutRefused } from "../yaml/readerCharacters.js";
import { brokenNodes } from "./brokenNodes.js";
import type { ConfigNode } from "./configNode.js";
import { loadedNodes } from "./loadedNodes.js";
import type { DuplicateKey } from "./mappingEntries.js";
import { nestingBound } from "./nesting.js";
import type { SyntaxProblem } from "./syntaxProblem.js";

/** A parsed configuration file. A broken text still gives every node that could be read. */
export interface ConfigDocument {
  /** The text that was read, with line feeds in place of lone carriage returns. */
  readonly text: string;
  readonly root: ConfigNode | undefined;
  readonly syntaxProblems: readonly SyntaxProblem[];
  readonly duplicateKeys: readonly DuplicateKey[];
}

/** Longer texts are refused: a training config has a few hundred lines. */
export const maxConfigLength = 4 * 1024 * 1024;
/** Brackets in strings count here; what nests deeper is not shown to the parser that goes on behind mistakes. */
const maxBrokenNesting = 1_000;
const maxSyntaxProblems = 50;

/**
 * Parses one YAML 1.1 document as `reader` would. Never throws on any text: what cannot be read is in `syntaxProblems`, which are
 * none exactly when PyYAML loads the text (texts that are too long or too deep for us aside). Keys that stand twice are apart,
 * as only OmegaConf refuses them.
 */
export function parseConfig(source: string, reader: YamlReader): ConfigDocument {
  const text = withLineFeeds(source);
  if (text.length > maxConfigLength) return tooLong(text);
  const strangers = charactersRefused(text, maxSyntaxProblems).map(problemOf);
  const readable = strangers.length === 0 ? text : withoutRefused(text);
  const composed = composeYaml(readable);
  if ("refused" in composed) return brokenDocument(text, readable, reader, [...strangers], problemOf(composed.refused));
  const { root } = composed;
  if (root === undefined) return { text, root, syntaxProblems: strangers, duplicateKeys: [] };
  const loaded = loadedNodes(readable, root, reader);
  const unbuilt = constructRefusal(root, reader);
  const problems = [...strangers, ...loaded.problems, ...(unbuilt === undefined ? [] : [problemOf(unbuilt)])];
  return { text, root: loaded.root, syntaxProblems: inTextOrder(problems), duplicateKeys: loaded.duplicateKeys };
}

/** The problems that the lenient parser sees are more, and better placed; where it sees none, what stopped PyYAML is told. */
function brokenDocument(
  text: string,
  readable: string,
  reader: YamlReader,
  strangers: readonly SyntaxProblem[],
  refused: SyntaxProblem,
): ConfigDocument {
  const lines = readable.replace(/[\x85\u2028\u2029]/g, "\n");
  const isDeep = refused.code === "TOO_DEEP" || nestingBound(lines) > maxBrokenNesting;
  const broken = isDeep ? undefined : brokenNodes(lines, reader);
  if (broken === undefined) {
    return { text, root: undefined, syntaxProblems: inTextOrder([...strangers, refused]), duplicateKeys: [] };
  }
  const problems = [...strangers, ...withReason(text, broken.problems, refused)];
  return {
    text,
    root: broken.root,
    syntaxProblems: inTextOrder(problems),
    duplicateKeys: broken.duplicateKeys,
  };
}

/**
 * The parser names what it missed; the reader that stopped there knows the reason and what to do. Its words take the place of the
 * first problem that it stopped at, and its place where the mistake is the opening quote or bracket.
 */
function withReason(
  text: string,
  problems: readonly SyntaxProblem[],
  refused: SyntaxProblem,
): readonly SyntaxProblem[] {
  if (problems.length === 0) return [refused];
  const at = problems.findIndex(isWithoutReason);
  const found = problems[at];
  if (found === undefined || found.span.start < lineStartAt(text, refused.span.start)) return problems;
  const span = /^MISSING_(?:QUOTE|BRACKET)$/.test(refused.code) ? refused.span : found.span;
  return problems.with(at, { ...refused, span });
}

function isWithoutReason({ code, message }: SyntaxProblem): boolean {
  if (code === "BAD_INDENT") return message.startsWith("Flow ");
  if (code === "UNEXPECTED_TOKEN") return !message.includes("in YAML stream");
  return codesWithoutReason.has(code);
}

const codesWithoutReason: ReadonlySet<string> = new Set([
  "BAD_DQ_ESCAPE",
  "BAD_SCALAR_START",
  "BLOCK_IN_FLOW",
  "MISSING_CHAR",
  "TAG_RESOLVE_FAILED",
]);

function inTextOrder(problems: readonly SyntaxProblem[]): readonly SyntaxProblem[] {
  return [...problems].sort((left, right) => left.span.start - right.span.start).slice(0, maxSyntaxProblems);
}

function problemOf({ code, message, start, end }: Refused): SyntaxProblem {
  return { code, message, span: { start, end } };
}

function tooLong(text: string): ConfigDocument {
  const message = `The text is longer than ${maxConfigLength} characters and is not read`;
  const problem = { code: "TOO_LONG", message, span: { start: 0, end: 1 } };
  return { text, root: undefined, syntaxProblems: [problem], duplicateKeys: [] };
}
