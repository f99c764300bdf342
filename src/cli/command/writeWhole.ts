import { fstatSync, writeSync } from "node:fs";

/** Writes bytes from an offset on, and says how many went through. */
export type WriteSome = (bytes: Uint8Array, from: number) => number;

/**
 * Writes all of a text, however little goes through at a time: a disk that fills up takes a part without an error, and refuses only
 * what follows. Throws what the system says.
 */
export function writeWhole(text: string, write: WriteSome): void {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; ) from += write(bytes, from);
}

/** The writer for a descriptor that is a file; Node's own stream takes a short write for a whole one. `undefined` for pipes and terminals. */
export function fileWriter(descriptor: number): WriteSome | undefined {
  try {
    if (!fstatSync(descriptor).isFile()) return undefined;
  } catch {
    return undefined;
  }
  return (bytes, from) => writeSync(descriptor, bytes, from);
}
