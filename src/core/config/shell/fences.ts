import type { TextSpan } from "../document/diagnostic.js";
import { type MarkdownYaml, readMarkdown } from "./markdown.js";
import { findPlaceholders, replaceSpans } from "./placeholders.js";

/** A fenced block of YAML in a Markdown text, as an excerpt: holes stand for values of the reader's. */
export interface YamlFence extends MarkdownYaml {
  /** The block with `???` in its holes and blanks for what it leaves out; the same length as the block. */
  readonly readable: string;
  /** Places of `<path>`, `{{ path }}` and the like, offsets into the block. */
  readonly holes: readonly TextSpan[];
}

/** More blocks than these are left out. */
const maxFences = 500;

/** True for the files whose fenced blocks are read. */
export function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/** The fenced blocks of YAML, the first 500. Never throws. */
export function readFences(text: string): readonly YamlFence[] {
  return readMarkdown(text)
    .yaml.slice(0, maxFences)
    .map((fence) => {
      const holes = findPlaceholders(fence.text, false);
      const readable = replaceSpans(fillHoles(fence.text, holes), omissions(fence.text), (length) =>
        " ".repeat(length),
      );
      return { ...fence, holes, readable };
    });
}

/** Lines that stand for others. */
function omissions(text: string): readonly TextSpan[] {
  const lines = text.matchAll(/^[ \t]*(?:-[ \t]+)?(\.{3}|\u2026)[ \t]*$/gm);
  return Array.from(lines, ({ 0: line, index: start }) => ({ start, end: start + line.length }));
}

/** What the frameworks call a value that is still missing. */
function fillHoles(text: string, holes: readonly TextSpan[]): string {
  return replaceSpans(text, holes, (length) => "?".repeat(3).padEnd(length));
}
