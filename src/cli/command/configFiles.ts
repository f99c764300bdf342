import { constants, type Dirent } from "node:fs";
import { access, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { fail, type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { maxConfigLength } from "../../core/config/document/configDocument.js";

/** What a walk found below one path, paths as the user would write them: the argument, extended. */
export interface FoundFiles {
  /** YAML, shell scripts and Markdown. */
  readonly files: readonly string[];
  /** Given by name, but of a kind that is not read. */
  readonly skipped: readonly string[];
  /** Parts of the tree that could not be listed; the rest is still there. */
  readonly problems: readonly Problem[];
}

const readNames = /\.(?:ya?ml|sh|bash|md|markdown)$/i;
const maxDepth = 32;
const maxFiles = 100_000;
const skippedFolders: ReadonlySet<string> = new Set(["node_modules", "__pycache__"]);

/**
 * Finds YAML files, shell scripts and Markdown at `argument`, a file or a folder. Folders are walked in order of names; hidden entries
 * other than `.hydra` and `node_modules` are left out, links to folders already seen are not followed again. Fails with `PATH_MISSING` or
 * `PATH_UNREADABLE`.
 */
export async function findConfigFiles(
  argument: string,
  absolute: (path: string) => string,
): Promise<Outcome<FoundFiles>> {
  try {
    const info = await stat(absolute(argument));
    if (info.isDirectory()) {
      await access(absolute(argument), constants.R_OK | constants.X_OK);
      return succeed(await new FolderWalk(absolute).run(argument));
    }
    const isRead = readNames.test(argument);
    return succeed({ files: isRead ? [argument] : [], skipped: isRead ? [] : [argument], problems: [] });
  } catch (error) {
    return fail(pathProblem(argument, error));
  }
}

/** Reads a file as UTF-8 of bounded size. Fails with `PATH_…`, `FILE_TOO_LARGE` or `FILE_NOT_UTF8`. */
export async function readConfigFile(shown: string, path: string): Promise<Outcome<string>> {
  try {
    const info = await stat(path);
    if (!info.isFile()) return fail(notAFile(shown));
    if (info.size > 4 * maxConfigLength) return fail(tooLarge(shown, info.size));
    return succeed(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(path)));
  } catch (error) {
    return fail(error instanceof TypeError ? notUtf8(shown) : pathProblem(shown, error));
  }
}

class FolderWalk {
  readonly #files: string[] = [];
  readonly #problems: Problem[] = [];
  readonly #seen = new Set<string>();

  constructor(private readonly absolute: (path: string) => string) {}

  async run(folder: string): Promise<FoundFiles> {
    await this.#visit(folder, 0);
    return { files: this.#files, skipped: [], problems: this.#problems };
  }

  async #visit(folder: string, depth: number): Promise<void> {
    if (depth > maxDepth) return;
    try {
      const real = await realpath(this.absolute(folder));
      if (this.#seen.has(real)) return;
      this.#seen.add(real);
      const entries = await readdir(real, { withFileTypes: true });
      entries.sort((left, right) => (left.name < right.name ? -1 : 1));
      for (const entry of entries) await this.#visitEntry(folder, entry, depth);
    } catch (error) {
      this.#problems.push(pathProblem(folder, error));
    }
  }

  async #visitEntry(folder: string, entry: Dirent, depth: number): Promise<void> {
    if (isHidden(entry) || skippedFolders.has(entry.name) || this.#files.length >= maxFiles) return;
    const path = join(folder, entry.name);
    const kind = entry.isSymbolicLink() ? await this.#kindBehindLink(path) : kindOf(entry);
    if (kind === "directory") await this.#visit(path, depth + 1);
    else if (kind === "file" && readNames.test(entry.name)) this.#files.push(path);
  }

  /** A link that leads nowhere is no finding of a config check. */
  async #kindBehindLink(path: string): Promise<ReturnType<typeof kindOf>> {
    try {
      return kindOf(await stat(this.absolute(path)));
    } catch {
      return "other";
    }
  }
}

/** Hydra saves what a run was composed of in a folder with a dot. */
function isHidden(entry: Dirent): boolean {
  return entry.name.startsWith(".") && entry.name !== ".hydra";
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): "file" | "directory" | "other" {
  if (entry.isDirectory()) return "directory";
  return entry.isFile() ? "file" : "other";
}

function pathProblem(path: string, error: unknown): Problem {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  if (code === "ENOENT" || code === "ENOTDIR") {
    return { code: "PATH_MISSING", message: `${path} does not exist.`, nextStep: "Check the spelling of the path." };
  }
  return {
    code: "PATH_UNREADABLE",
    message: `${path} cannot be read.`,
    cause: `The system says ${code}.`,
    nextStep: "Check the permissions.",
  };
}

function notAFile(path: string): Problem {
  return { code: "PATH_UNREADABLE", message: `${path} is not a regular file.`, nextStep: "Name a file or a folder." };
}

/** What is said of a file that is no UTF-8. */
export function notUtf8(path: string): Problem {
  return {
    code: "FILE_NOT_UTF8",
    message: `${path} is not UTF-8.`,
    cause: "The training frameworks read their YAML as UTF-8.",
    nextStep: "Save the file as UTF-8.",
  };
}

function tooLarge(path: string, sizeBytes: number): Problem {
  return {
    code: "FILE_TOO_LARGE",
    message: `${path} has ${sizeBytes} bytes, which is more than a config can sensibly have.`,
    nextStep: "Check whether this is a config at all.",
  };
}
