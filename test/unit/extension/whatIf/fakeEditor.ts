/** As much of the editor's own classes as the features of this folder use. */
export class EventEmitter<T> {
  readonly #listeners = new Set<(event: T) => void>();
  readonly event = (listener: (event: T) => void) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };
  fire(event: T): void {
    for (const listener of this.#listeners) listener(event);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

export class Position {
  constructor(
    readonly line: number,
    readonly character: number,
  ) {}
}

export class Range {
  constructor(
    readonly start: Position,
    readonly end: Position,
  ) {}
  contains({ line }: Position): boolean {
    return this.start.line <= line && line <= this.end.line;
  }
}

export class CodeLens {
  constructor(
    readonly range: Range,
    readonly command: { readonly title: string; readonly tooltip: string; readonly command: string },
  ) {}
}

export class InlayHint {
  paddingLeft = false;
  tooltip: unknown;
  constructor(
    readonly position: Position,
    readonly label: string,
  ) {}
}

export class MarkdownString {
  constructor(readonly value: string) {}
}

export class WorkspaceEdit {
  readonly edits: { readonly range: Range; readonly newText: string }[] = [];
  replace(_uri: unknown, range: Range, newText: string): void {
    this.edits.push({ range, newText });
  }
}

export class CodeAction {
  edit: WorkspaceEdit | undefined;
  constructor(
    readonly title: string,
    readonly kind: string,
  ) {}
}

/** A document of one version, whose text can be edited. */
export class FakeDocument {
  version = 1;
  isClosed = false;
  readonly languageId = "yaml";
  readonly uri = { path: "/job.yaml", toString: () => "file:///job.yaml" };

  constructor(private text: string) {}

  getText(): string {
    return this.text;
  }
  edit(text: string): void {
    this.text = text;
    this.version += 1;
  }
  positionAt(offset: number): Position {
    const before = this.text.slice(0, offset).split("\n");
    return new Position(before.length - 1, before.at(-1)?.length ?? 0);
  }
  offsetAt({ line, character }: Position): number {
    const before = this.text.split("\n").slice(0, line);
    return before.reduce((sum, each) => sum + each.length + 1, 0) + character;
  }
}
