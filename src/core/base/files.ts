import type { Outcome } from "./outcome.js";

/** What a path is, with its size; symbolic links are followed. */
export interface FileInfo {
  readonly kind: "file" | "directory" | "other";
  readonly sizeBytes: number;
}

/**
 * The only way in which core touches files. Shells pass an implementation (Node's `fs` in the CLI, `vscode.workspace.fs`
 * in the extension, a map in tests). Paths are opaque strings; `join` knows how to extend one.
 */
export interface FileSource {
  /** Fails with `FILE_MISSING`, `FILE_FORBIDDEN` or `FILE_UNREADABLE`. */
  info(path: string): Promise<Outcome<FileInfo>>;
  /** Reads `length` bytes from `offset`; fewer only where the file ends. Same failures as `info`. */
  readBytes(path: string, offset: number, length: number): Promise<Outcome<Uint8Array>>;
  /** Names (not paths) of the entries of a directory, sorted by code point. Same failures as `info`. */
  list(path: string): Promise<Outcome<readonly string[]>>;
  join(directory: string, name: string): string;
}
