import type { ConfigDocument } from "../document/configDocument.js";
import type { ConfigNode } from "../document/configNode.js";
import { LineIndex } from "../document/position.js";

/** Lines that fold together, 0-based, both included; the first one stays in sight. */
export interface ConfigFold {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: "block" | "comment";
}

const maxFolds = 5_000;
const maxDepth = 200;

/** Blocks and lists of more than one line, and runs of comment lines, in text order; at most 5,000. */
export function configFolds(document: ConfigDocument): readonly ConfigFold[] {
  const lines = new LineIndex(document.text);
  const folds: ConfigFold[] = [];
  const add = (start: number, end: number): void => {
    const startLine = lines.positionAt(start).line - 1;
    const endLine = lines.positionAt(end).line - 1;
    if (endLine > startLine && folds.length < maxFolds) folds.push({ startLine, endLine, kind: "block" });
  };
  const visit = (node: ConfigNode, depth: number): void => {
    if (depth > maxDepth || folds.length >= maxFolds) return;
    if (node.kind === "mapping") {
      for (const entry of node.entries) {
        if (entry.span.start < node.span.start || entry.span.end > node.span.end) continue;
        add(entry.span.start, entry.span.end);
        visit(entry.value, depth + 1);
      }
    } else if (node.kind === "sequence") {
      for (const item of node.items) {
        if (item.kind === "mapping") add(item.span.start, item.span.end);
        visit(item, depth + 1);
      }
    }
  };
  if (document.root !== undefined) visit(document.root, 0);
  const all = [...folds, ...commentFolds(document.text)];
  return all.sort((left, right) => left.startLine - right.startLine || right.endLine - left.endLine).slice(0, maxFolds);
}

function commentFolds(text: string): readonly ConfigFold[] {
  const folds: ConfigFold[] = [];
  let first = -1;
  const finish = (end: number): void => {
    if (first >= 0 && end - first >= 2 && folds.length < maxFolds) {
      folds.push({ startLine: first, endLine: end - 1, kind: "comment" });
    }
    first = -1;
  };
  const lines = text.split(/\r\n|\n|\r/);
  for (const [at, line] of lines.entries()) {
    if (!/^[ \t]*#/.test(line)) finish(at);
    else if (first < 0) first = at;
  }
  finish(lines.length);
  return folds;
}
