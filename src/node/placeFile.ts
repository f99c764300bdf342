import { randomBytes } from "node:crypto";
import { rename, rm } from "node:fs/promises";

/**
 * Puts a file in its place whole or not at all: `fill` writes a new file beside it, which then takes its name. Throws what `fill`
 * and the system throw; the file at `target` is then as it was, and the new one is gone.
 */
export async function placeFile(target: string, fill: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${target}.${randomBytes(6).toString("hex")}.part`;
  try {
    await fill(draft);
    await rename(draft, target);
  } catch (error) {
    // Where no file can be, none can be removed.
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}
