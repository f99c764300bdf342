import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { checkDocument } from "../../src/core/config/check.js";
import type { Comparison } from "./comparison.js";

const targetLines = 2000;

/** The sample's configuration followed by blocks of other keys, as a composed Hydra file has them. */
function longConfig(): string {
  const sample = readFileSync(join(process.cwd(), "media", "sample", "veomni.yaml"), "utf8");
  const lines = sample.split("\n");
  for (let at = 0; lines.length < targetLines; at += 1) {
    lines.push(
      `extra_${at}:`,
      `  # what it is for`,
      `  path: /data/part-${at}`,
      `  ratio: 0.${at}`,
      `  tags: [a, b, "c${at}"]`,
    );
  }
  return lines.join("\n");
}

export function configCheck(): Comparison {
  const text = longConfig();
  if (checkDocument("veomni.yaml", text) === undefined) throw new Error("the configuration is not recognised");
  return {
    ours: "check of a configuration, all rules",
    reference: "the `yaml` package parsing the same text",
    input: `${text.split("\n").length.toLocaleString("en")} lines`,
    run: () => checkDocument("veomni.yaml", text),
    runReference: () => parseDocument(text, { version: "1.1" }),
  };
}
