import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** `dump_modules.py` beside the bundle (`dist/`), or in the source tree. */
export function dumpScript(): string {
  const places = ["../media/python/dump_modules.py", "../../../media/python/dump_modules.py"];
  const paths = places.map((place) => fileURLToPath(new URL(place, import.meta.url)));
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`dump_modules.py is missing beside ${import.meta.url}`);
  return found;
}
