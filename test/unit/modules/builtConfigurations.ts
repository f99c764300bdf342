import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

/** A configuration and what the library builds from it. */
export interface BuiltConfiguration {
  readonly name: string;
  readonly model_type: string;
  readonly architecture: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly named_modules: readonly (readonly [string, string])[];
  readonly containers: readonly string[];
  readonly no_split_modules: readonly string[];
}

const file = new URL("../../fixtures/configurations/built.jsonl.gz", import.meta.url);

export const builtConfigurations: readonly BuiltConfiguration[] = gunzipSync(readFileSync(file))
  .toString("utf8")
  .split("\n")
  .map((line) => JSON.parse(line));
