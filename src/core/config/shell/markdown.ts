import type { TextSpan } from "../document/diagnostic.js";

/** The shell text of a Markdown file: everything that is no shell is blanked, so offsets stay those of the file. */
export interface MarkdownShell {
  /** As long as the Markdown text. */
  readonly text: string;
  /** Where each block begins and ends, without its fences. */
  readonly blocks: readonly TextSpan[];
  readonly yaml: readonly MarkdownYaml[];
}

/** A fenced block of YAML. */
export interface MarkdownYaml extends TextSpan {
  /** The lines between the fences, as long as they are in the file; quote marks are blanked. */
  readonly text: string;
  /** The block stands in a quotation, so that lines cannot be added without their marks. */
  readonly isQuoted: boolean;
}

/** `session` shows prompts and output: only lines behind a prompt count. */
type BlockKind = "script" | "session" | "yaml";

const LANGUAGES: ReadonlyMap<string, BlockKind> = new Map([
  ["", "script"],
  ["bash", "script"],
  ["sh", "script"],
  ["shell", "script"],
  ["zsh", "script"],
  ["console", "session"],
  ["shell-session", "session"],
  ["shellsession", "session"],
  ["sh-session", "session"],
  ["bash-session", "session"],
  ["terminal", "session"],
  ["yaml", "yaml"],
  ["yml", "yaml"],
]);

/** Indentation and quote marks, then the fence, then the language in any of its spellings (`bash`, `{.bash}`). */
const OPENING = /^([ \t>]*)(`{3,}|~{3,})[ \t]*\{?\.?([\w+-]*)[^`]*$/;
const PROMPT = /^[ \t>]*(?:\([\w.-]+\) )?(?:[\w.@:~/-]*[$#%]) /;
const CONTINUED = /\\\r?$/;

interface OpenBlock {
  readonly fence: string;
  readonly prefix: string;
  readonly kind: BlockKind | undefined;
  readonly start: number;
}

/**
 * Finds the fenced blocks of shell text (bash, sh, shell, zsh, console and blocks without a language) and of YAML. In a console
 * block, and in any block whose first line begins with a `$ ` prompt, prompts are blanked and lines of output too.
 * One pass over the lines; an unclosed block runs to the end.
 */
export function readMarkdown(text: string): MarkdownShell {
  const kept: string[] = [];
  const blocks: TextSpan[] = [];
  const yaml: MarkdownYaml[] = [];
  let block: OpenBlock | undefined;
  let lines: string[] = [];
  let offset = 0;
  const close = (open: OpenBlock): void => {
    const isShell = open.kind === "script" || open.kind === "session";
    for (const line of isShell ? shellLines(lines, open) : lines.map(blank)) kept.push(line);
    if (isShell) blocks.push({ start: open.start, end: offset });
    if (open.kind === "yaml") yaml.push({ start: open.start, end: offset, ...yamlText(lines, open) });
    block = undefined;
    lines = [];
  };
  for (const line of text.split(/(?<=\n)/)) {
    if (block !== undefined && isClosing(line, block.fence)) close(block);
    else if (block !== undefined) {
      lines.push(line);
      offset += line.length;
      continue;
    } else block = openBlock(line, offset + line.length);
    kept.push(blank(line));
    offset += line.length;
  }
  if (block !== undefined) close(block);
  return { text: kept.join(""), blocks, yaml };
}

function openBlock(line: string, start: number): OpenBlock | undefined {
  const match = OPENING.exec(line.trimEnd());
  if (match === null) return undefined;
  const [, prefix = "", fence = "", language = ""] = match;
  return { fence, prefix, kind: LANGUAGES.get(language.toLowerCase()), start };
}

function isClosing(line: string, fence: string): boolean {
  const rest = line.replace(/^[ \t>]*/, "").trimEnd();
  return rest.length >= fence.length && rest.split("").every((character) => character === fence[0]);
}

/** Spaces of the same length; line breaks stay. */
function blank(line: string): string {
  return line.replace(/[^\r\n]/g, " ");
}

function yamlText(lines: readonly string[], { prefix }: OpenBlock): Pick<MarkdownYaml, "text" | "isQuoted"> {
  const text = lines.map((line) => {
    const hidden = quoteMarks(line, prefix);
    return blank(line.slice(0, hidden)) + line.slice(hidden);
  });
  return { text: text.join(""), isQuoted: prefix.includes(">") };
}

function shellLines(lines: readonly string[], block: OpenBlock): string[] {
  const session = block.kind === "session" || lines.some((line) => /^[ \t>]*\$ /.test(line));
  let continues = false;
  return lines.map((line) => {
    const prompt = session ? PROMPT.exec(line) : null;
    const isOutput = session && prompt === null && !continues;
    continues = !isOutput && CONTINUED.test(line.replace(/\n$/, ""));
    if (isOutput) return blank(line);
    const hidden = prompt?.[0].length ?? quoteMarks(line, block.prefix);
    return blank(line.slice(0, hidden)) + line.slice(hidden);
  });
}

/** Length of the quote marks that the block stands in. */
function quoteMarks(line: string, prefix: string): number {
  if (!prefix.includes(">")) return 0;
  return /^[ \t>]*/.exec(line)?.[0].length ?? 0;
}
