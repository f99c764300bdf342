import { constants } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { FileSource } from "../core/base/files.js";
import { fail, type Outcome, type Problem, succeed } from "../core/base/outcome.js";

/**
 * Files of the machine on which this process runs; in the extension, the one of the extension host. (`vscode.workspace.fs` cannot
 * read a part of a file, and shards of a checkpoint have gigabytes of which only the headers are wanted.) Relative paths count
 * from the process's own directory: resolve them first.
 */
export const nodeFiles: FileSource = {
  info: (path) =>
    attempt(path, async () => {
      const found = await stat(path);
      const kind = found.isFile() ? "file" : found.isDirectory() ? "directory" : "other";
      return { kind, sizeBytes: found.size } as const;
    }),
  readBytes: (path, offset, length) => attempt(path, () => readRange(path, offset, length)),
  list: (path) => attempt(path, async () => (await readdir(path)).sort(byCodePoint)),
  join,
};

/** The bytes of a regular file from `offset` on, at most `length`: fewer only at its end. Throws like `openFile`. */
export async function readRange(path: string, offset: number, length: number): Promise<Uint8Array> {
  const { handle, sizeBytes } = await openFile(path);
  try {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, sizeBytes - offset)));
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await handle.close();
  }
}

/**
 * Opens a regular file for reading; every reader of files that a user names begins here. `sizeBytes` is the size at this moment.
 * Throws what `attempt` and `fileProblem` translate: for pipes, devices and folders too, without waiting for anybody.
 */
export async function openFile(path: string): Promise<{ readonly handle: FileHandle; readonly sizeBytes: number }> {
  // Without O_NONBLOCK, opening a pipe waits for a writer, perhaps for ever.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = await handle.stat();
    if (found.isFile()) return { handle, sizeBytes: found.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  throw new NotAFile();
}

/** Pipes, devices and folders have no bytes that could be asked for by place. */
class NotAFile extends Error {}

/** Runs an action on `path`; an error of `node:fs` becomes a problem. */
export async function attempt<T>(path: string, action: () => Promise<T>): Promise<Outcome<T>> {
  try {
    return succeed(await action());
  } catch (error) {
    return fail(fileProblem(path, error));
  }
}

/** Translates an error of `node:fs` about `path`. */
export function fileProblem(path: string, error: unknown): Problem {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT" || code === "ENOTDIR") {
    return { code: "FILE_MISSING", message: `${path} does not exist.`, nextStep: "Check the path." };
  }
  if (code === "EACCES" || code === "EPERM") {
    return { code: "FILE_FORBIDDEN", message: `${path} may not be read.`, nextStep: "Check its permissions." };
  }
  if (error instanceof NotAFile || code === "EISDIR") {
    return {
      code: "FILE_UNREADABLE",
      message: `${path} cannot be read.`,
      cause: "It is not a regular file.",
      nextStep: "Put a regular file there, or give another path.",
    };
  }
  const cause = `The system reports ${code === "" ? "an unknown error" : code}.`;
  return {
    code: "FILE_UNREADABLE",
    message: `${path} cannot be read.`,
    cause,
    nextStep: "Check the file and its disk.",
  };
}

/** The order of UTF-8 bytes is the order of code points. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
