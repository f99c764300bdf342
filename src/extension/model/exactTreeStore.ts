import { createHash } from "node:crypto";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { maxTreeFileBytes } from "../../core/modules/source/loadTree.js";
import { readPythonDump } from "../../core/modules/source/pythonDump.js";
import type { ModuleTree } from "../../core/modules/tree.js";
import { placeFile } from "../../node/placeFile.js";

/** Which dump was the last one for a config.json. */
export interface TreeNote {
  /** Path of the config.json. */
  readonly config: string;
  /** SHA-256 of its text, lower-case hex. */
  readonly configSha256: string;
  /** A file in the directory of the store. */
  readonly dump: string;
}

const DUMP_NAME = /^[0-9a-f]{64}\.json$/;
const MOST_NOTE_BYTES = 64 * 1024;

/**
 * Remembers between sessions which dump belongs to which config.json: one small file beside the dumps for each. A dump's own name
 * stands for the texts of config.json and script and for the library versions that it was made with. Nothing here fails: what cannot be
 * read or written is built again.
 */
export class ExactTreeStore {
  constructor(private readonly directory: string) {}

  async note(note: TreeNote): Promise<void> {
    const path = this.#pathFor(note.config);
    try {
      await mkdir(this.directory, { recursive: true });
      const text = JSON.stringify({ ...note, dump: basename(note.dump) });
      await placeFile(path, (draft) => writeFile(draft, text));
    } catch {
      // It is built again.
    }
  }

  /** The noted tree, whether its config.json is still the same or not. */
  async recall(config: string): Promise<{ readonly configSha256: string; readonly tree: ModuleTree } | undefined> {
    const note = noteOf(await readBounded(this.#pathFor(config), MOST_NOTE_BYTES));
    if (note?.config !== config) return undefined;
    const bytes = await readBounded(join(this.directory, note.dump), maxTreeFileBytes);
    const tree = bytes === undefined ? undefined : readPythonDump(bytes);
    return tree?.ok === true ? { configSha256: note.configSha256, tree: tree.value } : undefined;
  }

  async forget(config: string): Promise<void> {
    await rm(this.#pathFor(config), { force: true }).catch(() => undefined);
  }

  #pathFor(config: string): string {
    return join(this.directory, `last-${createHash("sha256").update(config).digest("hex")}.json`);
  }
}

function noteOf(bytes: Uint8Array | undefined): TreeNote | undefined {
  if (bytes === undefined) return undefined;
  try {
    const note: Partial<Record<string, unknown>> | null = JSON.parse(new TextDecoder().decode(bytes));
    const { config, configSha256, dump } = note ?? {};
    if (typeof config !== "string" || typeof configSha256 !== "string" || typeof dump !== "string") return undefined;
    return DUMP_NAME.test(dump) ? { config, configSha256, dump } : undefined;
  } catch {
    return undefined;
  }
}

async function readBounded(path: string, mostBytes: number): Promise<Uint8Array | undefined> {
  try {
    return (await stat(path)).size <= mostBytes ? await readFile(path) : undefined;
  } catch {
    return undefined;
  }
}
