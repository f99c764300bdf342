import type { ShellWord } from "./readShell.js";

/** One flag of VeOmni's command line. */
export interface VeomniFlag {
  /** Without the dashes: `train.accelerator.offload_config.enable_async_activation`. */
  readonly keyPath: string;
  readonly word: ShellWord;
  /** Index in the text of `word` where an inline value begins; undefined for `--key value`. */
  readonly inlineAt?: number;
  /** The values that follow as words of their own. */
  readonly values: readonly ShellWord[];
}

const FLAG = /^--([A-Za-z_][\w.-]*)(=)?/;

/**
 * Reads VeOmni's flags as its argument parser does: `--a.b value`, `--a.b=value`, lists as several words, a bare flag
 * for true. A word is a value unless it begins like an option; a negative number is a value. Words before the first
 * flag (the YAML file) are left out. Whether a flag exists is for the rules to say.
 */
export function readVeomniFlags(words: readonly ShellWord[]): readonly VeomniFlag[] {
  const flags: VeomniFlag[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const match = word && FLAG.exec(word.text);
    if (!word || !match) continue;
    const keyPath = match[1] ?? "";
    if (match[2] !== undefined) {
      flags.push({ keyPath, word, inlineAt: match[0].length, values: [] });
      continue;
    }
    if (match[0].length !== word.text.length) continue;
    const values: ShellWord[] = [];
    for (let next = words[i + 1]; next !== undefined && !isOption(next.text); next = words[i + 1]) {
      values.push(next);
      i++;
    }
    flags.push({ keyPath, word, values });
  }
  return flags;
}

function isOption(text: string): boolean {
  return text.startsWith("-") && text.length > 1 && !/^-\.?\d/.test(text);
}

const TRUE_WORDS = new Set(["yes", "true", "t", "y", "1"]);
const FALSE_WORDS = new Set(["no", "false", "f", "n", "0"]);

/** What a boolean flag makes of its word; undefined when the parser refuses it. Case does not count. */
export function flagBoolean(text: string): boolean | undefined {
  const lower = text.toLowerCase();
  if (TRUE_WORDS.has(lower)) return true;
  return FALSE_WORDS.has(lower) ? false : undefined;
}

/** What Python's `int` or `float` makes of a word; undefined when it refuses. `inf` and `nan` are numbers there. */
export function flagNumber(text: string): number | undefined {
  const word = text.trim().toLowerCase();
  if (/^[+-]?(?:inf|infinity)$/.test(word)) return word.startsWith("-") ? -Infinity : Infinity;
  if (/^[+-]?nan$/.test(word)) return Number.NaN;
  if (!/^[+-]?(?:\d+(?:_\d+)*\.?(?:\d+(?:_\d+)*)?|\.\d+(?:_\d+)*)(?:e[+-]?\d+(?:_\d+)*)?$/.test(word)) return undefined;
  return Number(word.replaceAll("_", ""));
}

/** What Python's `int` makes of a word; undefined when it refuses, as it does for `1.0` and `1e3`. */
export function flagInteger(text: string): number | undefined {
  const word = text.trim();
  return /^[+-]?\d+(?:_\d+)*$/.test(word) ? Number(word.replaceAll("_", "")) : undefined;
}
