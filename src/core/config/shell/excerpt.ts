import type { TextSpan } from "../document/diagnostic.js";
import type { ProgramCall } from "./commands.js";
import { WordExpander } from "./expandWord.js";
import { type ShellWord, traceWord } from "./readShell.js";
import { readWord } from "./readWord.js";
import { Scope } from "./scope.js";
import { lineEnd } from "./skipNested.js";

const OVERRIDE = /^(?:~|\+{0,2})[A-Za-z_][\w./@-]*=/;
const OF_ENGINE = /^(?:~|\+{0,2})[\w./@-]*\.veomni(?:\.|=|@)|^\+{0,2}(?:model_engine|engine)=veomni$/;

/**
 * A block of documentation that lists overrides without the command that takes them, as one call of no program; undefined for blocks
 * without overrides of verl's VeOmni engine. Each line is read for itself; words that are no overrides are left out.
 */
export function readExcerpt(text: string, { start, end }: TextSpan): ProgramCall | undefined {
  const words: ShellWord[] = [];
  const budget = { charactersLeft: 400_000 + 16 * (end - start) };
  for (let line = start; line < end; line = lineEnd(text, line) + 1) {
    const found = wordsOfLine(text.slice(0, Math.min(end, lineEnd(text, line))), line, budget);
    for (const word of found) words.push(word);
  }
  const args = numberAlternatives(words.filter((word) => OVERRIDE.test(word.text)));
  if (!args.some((word) => OF_ENGINE.test(word.text))) return undefined;
  const span = { start, end };
  const call = {
    dialect: "verl",
    program: undefined,
    args,
    span,
    multirun: true,
    nested: false,
    isWhole: false,
  } as const;
  return { ...call, isExcerpt: true };
}

function wordsOfLine(line: string, start: number, budget: { charactersLeft: number }): readonly ShellWord[] {
  const words: ShellWord[] = [];
  for (let at = start; at < line.length; ) {
    const character = line[at] ?? "";
    if (character === "#") return words;
    const word = readWord(line, at);
    if (word.end > at)
      words.push(...new WordExpander(new Scope(), undefined, budget, 0).words(word).map((each) => traceWord(each)));
    at = Math.max(word.end, at + 1);
  }
  return words;
}

/** A key that is listed twice is shown with the values that it can take; none of them is set over another. */
function numberAlternatives(words: readonly ShellWord[]): readonly ShellWord[] {
  const keyOf = ({ text }: ShellWord): string => text.slice(0, text.indexOf("="));
  const counts = new Map<string, number>();
  for (const word of words) counts.set(keyOf(word), (counts.get(keyOf(word)) ?? 0) + 1);
  return words.map((word, alternative) => ((counts.get(keyOf(word)) ?? 0) < 2 ? word : { ...word, alternative }));
}
