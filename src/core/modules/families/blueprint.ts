/**
 * What a model family's Python code defines, in the order in which it defines it. Tensors say which of these modules a
 * checkpoint has; the blueprint says their order and class, and which modules exist without any tensor.
 */
export interface Blueprint {
  readonly name: string;
  /** Class name; `@` stands for the family's prefix, `%act` for the activation that config.json names. */
  readonly type: string;
  /** A `ModuleList`: `type` and `children` describe its numbered elements. */
  readonly isList: boolean;
  /** For a list: config.json counts its elements (the decoder layers). */
  readonly isDecoderStack: boolean;
  /** For other lists: where config.json has their length, e.g. `vision_config.depth`; a list there counts its elements. */
  readonly countKey: string | undefined;
  /** Built in some configurations only. Tensors prove it; from config.json alone the family's `builds` says so. */
  readonly isOpen: boolean;
  /** Built even though it has no tensors (activations, dropouts, rotary embeddings, tied heads). */
  readonly withoutTensors: boolean;
  /** Holds the tensors of everything below as its own parameters (experts stored one by one, built as one). */
  readonly fused: boolean;
  /** This alternative applies only if tensors exist below this child. */
  readonly when: string | undefined;
  readonly children: readonly Blueprint[];
}

const linePattern = /^( *)([A-Za-z0-9_]+)(\[[\w.]*\]|[!*?])? (\S+)(?: when (\w+))?$/;

/**
 * Reads the notation of the family tables: one module a line, `name Class`, children indented by two spaces. After the name,
 * `[]` marks a list, `[n]` the decoder stack and `[vision_config.depth]` a list whose length config.json gives there; `!` marks a
 * module without tensors, `*` a fused one, `?` one that only some configurations build. `when child` makes a line an alternative:
 * of the lines with one name, the first whose child exists is taken.
 * A line that does not fit is a bug of the table and throws.
 */
export function parseBlueprint(text: string): readonly Blueprint[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return parseLevel(lines, 0);
}

function parseLevel(lines: readonly string[], depth: number): Blueprint[] {
  const found: Blueprint[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const parts = linePattern.exec(line);
    if (parts === null || parts[1]?.length !== depth * 2) throw new Error(`blueprint line out of place: "${line}"`);
    let end = at + 1;
    while (end < lines.length && indentOf(lines[end] ?? "") > depth * 2) end += 1;
    const mark = parts[3];
    found.push({
      name: parts[2] ?? "",
      type: parts[4] ?? "",
      isList: mark?.startsWith("[") === true,
      isDecoderStack: mark === "[n]",
      countKey: mark === "[n]" ? undefined : /^\[(.+)\]$/.exec(mark ?? "")?.[1],
      isOpen: mark === "?",
      withoutTensors: mark === "!",
      fused: mark === "*",
      when: parts[5],
      children: parseLevel(lines.slice(at + 1, end), depth + 1),
    });
    at = end;
  }
  return found;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Moves a block of blueprint lines `levels` to the right, so that pieces can be put together. */
export function indent(block: string, levels: number): string {
  const pad = "  ".repeat(levels);
  const lines = block.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => pad + line).join("\n");
}
