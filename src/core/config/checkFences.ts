import type { Diagnostic, TextSpan } from "./document/diagnostic.js";
import type { MarkdownYaml } from "./shell/markdown.js";
import { readMarkdown } from "./shell/markdown.js";
import { findPlaceholders, replaceSpans } from "./shell/placeholders.js";

/** What a check of one text gives. */
interface Checked {
  readonly dialect: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Rules on what a file leaves out: documentation shows a part of it. */
const rulesOnAbsence: ReadonlySet<string> = new Set(["missing-key"]);
/** More blocks than these are left out. */
const maxFences = 500;

/** True for the files whose fenced blocks are read. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/**
 * Judges every fenced block of YAML in a Markdown text like a file, by `checkYaml`, with places in the Markdown. What stands for a value
 * of the reader's (`<path>`, `{{ path }}`, `...`) is not judged, nor what an excerpt leaves out. Fixes stay inside their block. Never
 * throws.
 */
export function checkFences(
  path: string,
  text: string,
  checkYaml: (path: string, text: string) => Checked | undefined,
): readonly Checked[] {
  return readMarkdown(text)
    .yaml.slice(0, maxFences)
    .flatMap((fence, index) => {
      const holes = findPlaceholders(fence.text, false);
      const omitted = Array.from(
        fence.text.matchAll(/^[ \t]*(?:-[ \t]+)?(\.{3}|\u2026)[ \t]*$/gm),
        ({ 0: line, index: start }) => ({
          start,
          end: start + line.length,
        }),
      );
      const readable = replaceSpans(fillHoles(fence.text, holes), omitted, (length) => " ".repeat(length));
      const checked = checkYaml(`${path}.${index + 1}.yaml`, readable);
      if (checked === undefined) return [];
      const diagnostics = checked.diagnostics.filter(({ span }) => !holes.some((hole) => overlaps(hole, span)));
      return [{ dialect: checked.dialect, diagnostics: diagnostics.flatMap((found) => placed(found, fence)) }];
    });
}

/** What the frameworks call a value that is still missing. */
function fillHoles(text: string, holes: readonly TextSpan[]): string {
  return replaceSpans(text, holes, (length) => "?".repeat(3).padEnd(length));
}

function overlaps(left: TextSpan, right: TextSpan): boolean {
  return left.start < right.end && right.start < left.end;
}

function placed(diagnostic: Diagnostic, fence: MarkdownYaml): readonly Diagnostic[] {
  if (rulesOnAbsence.has(diagnostic.code)) return [];
  const fixes = diagnostic.fixes.map((fix) => ({
    ...fix,
    edits: fix.edits.map(({ span, newText }) => ({ span: moved(span, fence.start), newText })),
  }));
  const kept = fence.isQuoted
    ? fixes.filter(({ edits }) => edits.every(({ newText }) => !newText.includes("\n")))
    : fixes;
  return [{ ...diagnostic, span: moved(diagnostic.span, fence.start), fixes: kept }];
}

function moved({ start, end }: TextSpan, by: number): TextSpan {
  return { start: start + by, end: end + by };
}
