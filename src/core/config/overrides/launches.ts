import type { Launch } from "../document/launch.js";
import { UNKNOWN_MARK } from "../hydra/value.js";
import { findProgramCalls, type ProgramCall } from "../shell/commands.js";
import { convertReturns } from "../shell/lineReturns.js";
import { isScript } from "../shell/overrides.js";
import { maskPlaceholders } from "../shell/placeholders.js";
import { readShell, type ShellWord } from "../shell/readShell.js";
import { readVeomniFlags } from "../shell/veomniFlags.js";

const maxLaunches = 200;
const yamlFile = /\.ya?ml$/i;

/** The launches of a script, the first 200; none for other files. Never throws. */
export function launchesIn(path: string, text: string): readonly Launch[] {
  if (!isScript(path)) return [];
  const script = convertReturns(text);
  return findProgramCalls(readShell(maskPlaceholders(script, false)))
    .flatMap((call) => launchOf(path, script, call) ?? [])
    .slice(0, maxLaunches);
}

function launchOf(path: string, text: string, { dialect, program, args, span }: ProgramCall): Launch | undefined {
  const firstFlag = args.findIndex((word) => word.text.startsWith("--"));
  const operands = firstFlag < 0 ? args : args.slice(0, firstFlag);
  const file = operands.find((word) => yamlFile.test(word.text));
  if (dialect !== "veomni" || program === undefined || file === undefined) return undefined;
  const unknownUpTo = file.text.lastIndexOf(UNKNOWN_MARK);
  const knownFrom = unknownUpTo < 0 ? 0 : unknownUpTo + UNKNOWN_MARK.length;
  return {
    script: path,
    line: text.slice(0, span.start).split("\n").length,
    file: file.text.slice(knownFrom),
    isTail: knownFrom > 0,
    keys: readVeomniFlags(args).map(({ keyPath }) => keyPath),
    isComplete: args.every((word) => word === file || isSettled(word)),
  };
}

/** A word that is this one word in every run. */
function isSettled({ text, alternative, assumesDefault }: ShellWord): boolean {
  return !text.startsWith(UNKNOWN_MARK) && alternative === undefined && !assumesDefault;
}
