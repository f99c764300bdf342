import { fail, type Outcome, type Problem, succeed } from "../../base/outcome.js";
import { formatBytes } from "../../base/quantities.js";
import { shownWord } from "../../base/shownWord.js";
import type { ModuleTree } from "../tree.js";
import { readTreeFile } from "./treeFile.js";

/** Reads what `dump_modules.py` prints: a tree file whose names, classes and attributes come from the library itself. */
export function readPythonDump(bytes: Uint8Array): Outcome<ModuleTree> {
  const tree = readTreeFile(bytes);
  if (!tree.ok) {
    const cause = tree.problem.cause ?? tree.problem.message;
    return fail(dumpFailed(cause));
  }
  return succeed({ ...tree.value, source: "python-dump" });
}

/** What a dump depends on: if all of it is equal, an earlier dump still holds. */
export interface DumpInputs {
  /** SHA-256 of config.json, lower-case hex. */
  readonly configSha256: string;
  /** SHA-256 of the script. */
  readonly scriptSha256: string;
  /** What the script prints for `--versions`. */
  readonly versions: Readonly<Record<string, string>>;
  readonly python: string;
  readonly architecture?: string;
}

/** One line that is equal for equal inputs; the shell hashes it into a file name. */
export function dumpCacheKey(inputs: DumpInputs): string {
  const versions = Object.entries(inputs.versions).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([inputs.configSha256, inputs.scriptSha256, inputs.python, inputs.architecture ?? "", versions]);
}

/** The code of a dump that its user stopped, who need not be told. */
export const DUMP_CANCELLED = "DUMP_CANCELLED";

/** How the interpreter ended. */
export interface DumpEnd {
  readonly python: string;
  /** Exit code; `null` if a signal ended it. */
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** True if the program could not be started at all. */
  readonly notStarted: boolean;
  /** True if it wrote more than `maxOutputBytes` to standard output and was stopped for it. */
  readonly tooLarge: boolean;
  readonly maxOutputBytes: number;
  /** The end of what it wrote to standard error. */
  readonly stderr: string;
  readonly timeLimitSeconds: number;
}

/**
 * The problem behind a dump that gave no tree: `PYTHON_MISSING`, `TRANSFORMERS_MISSING`, `DUMP_TIMED_OUT`, `DUMP_CANCELLED`, `DUMP_TOO_LARGE`
 * or `DUMP_FAILED` with the last line of the error.
 */
export function dumpProblem(end: DumpEnd): Problem {
  if (end.notStarted) return pythonMissing(end.python);
  if (end.cancelled)
    return { code: DUMP_CANCELLED, message: "The module dump was cancelled.", nextStep: "Start it again." };
  if (end.tooLarge) return tooLarge(end);
  const [code, text] = failureLine(end.stderr);
  if (end.timedOut || code === "DUMP_TIMED_OUT") {
    const message = `The module dump took longer than ${end.timeLimitSeconds} s and was stopped.`;
    return { code: "DUMP_TIMED_OUT", message, nextStep: "Give more time, or give the checkpoint instead." };
  }
  if (code === "TRANSFORMERS_MISSING") return transformersMissing(end.python, text);
  const signal =
    end.exitCode === null ? "The interpreter was ended by a signal." : `It ended with status ${end.exitCode}.`;
  return dumpFailed(text === "" ? signal : text);
}

/** A line of a traceback says more than a word. */
const mostOfError = 400;

/** The code and text of the script's last line of failure; else the last line of whatever was written. */
function failureLine(stderr: string): readonly [string, string] {
  const lines = stderr.split("\n").map((line) => line.trim());
  const own = lines.findLast((line) => line.startsWith("failed: "));
  const parts = own === undefined ? null : /^failed: ([A-Z_]+) ?(.*)$/.exec(own);
  if (parts !== null) return [parts[1] ?? "", shownWord(parts[2] ?? "", mostOfError)];
  return ["", shownWord(lines.findLast((line) => line !== "" && !line.startsWith("progress: ")) ?? "", mostOfError)];
}

function tooLarge({ python, maxOutputBytes }: DumpEnd): Problem {
  return {
    code: "DUMP_TOO_LARGE",
    message: `${python} wrote more than ${formatBytes(maxOutputBytes)} to standard output and was stopped.`,
    cause: "The module dump of no model is as long.",
    nextStep:
      "Check that this is a Python interpreter, and that nothing in its environment prints, or give the checkpoint instead.",
  };
}

function pythonMissing(python: string): Problem {
  return {
    code: "PYTHON_MISSING",
    message: `The Python interpreter ${python} cannot be started.`,
    nextStep: "Give the interpreter of the environment in which you train.",
  };
}

function transformersMissing(python: string, text: string): Problem {
  return {
    code: "TRANSFORMERS_MISSING",
    message: `${python} has no transformers (or no torch).`,
    ...(text === "" ? {} : { cause: `It reports: ${text}.` }),
    nextStep: "Give the interpreter of the environment in which you train, or install transformers there.",
  };
}

function dumpFailed(cause: string): Problem {
  return {
    code: "DUMP_FAILED",
    message: "The module dump did not give a module tree.",
    cause: /[.!?…]$/.test(cause) ? cause : `${cause}.`,
    nextStep: "Check that the interpreter's transformers knows the model, or give the checkpoint instead.",
  };
}
