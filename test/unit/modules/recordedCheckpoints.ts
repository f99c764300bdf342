import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const folder = new URL("../../fixtures/checkpoints/", import.meta.url);

/** What the library built from a recorded checkpoint. */
export interface CheckpointTruth {
  readonly class: string;
  readonly no_split: readonly string[];
  readonly named_modules: readonly (readonly [string, string])[];
  readonly containers: readonly string[];
}

/** Names of the recorded checkpoints. */
export const recordedCheckpointNames: readonly string[] = readdirSync(folder)
  .filter((file) => file.endsWith(".tar.gz"))
  .map((file) => file.replace(".tar.gz", ""));

/** The files of a recorded checkpoint, by path below its directory's name, and its truth. */
export function recordedCheckpoint(name: string): {
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly truth: CheckpointTruth;
} {
  const files = untar(gunzipSync(readFileSync(new URL(`${name}.tar.gz`, folder))));
  const truth = files.get(`${name}/truth.json`);
  if (truth === undefined) throw new Error(`${name} has no truth.json`);
  return { files, truth: JSON.parse(new TextDecoder().decode(truth)) };
}

/** Plain files of a ustar archive: a 512-byte header, then the data padded to 512 bytes. */
function untar(archive: Uint8Array): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const textAt = (start: number, length: number) =>
    new TextDecoder().decode(archive.subarray(start, start + length)).replace(/\0.*$/s, "");
  for (let at = 0; at + 512 <= archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(textAt(at + 124, 12), 8);
    const kind = textAt(at + 156, 1);
    if (kind === "0" || kind === "")
      files.set(textAt(at, 100).replace(/^\.\//, ""), archive.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}
