import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute paths that the build, the tests and the demo share. Everything generated lies in `build/` or `dist/`. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const dist = join(root, "dist");
export const build = join(root, "build");
export const sample = join(root, "media", "sample");
export const testOutput = join(root, "test", "output");

/** Downloads that outlive a clone (the VS Code used in tests) go here, outside the repository. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "veomni-offload-lens");

/** A path as a reader of the terminal would type it: relative to the working directory when it lies below the root. */
export function shown(path) {
  return path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}
