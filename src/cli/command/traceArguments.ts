import { shortWord } from "../report/terminalText.js";

/** What `trace` was asked for. */
export interface TraceRequest {
  readonly files: readonly string[];
  readonly json: boolean;
  readonly check: boolean;
  readonly compare: boolean;
  readonly report: boolean;
  /** Where to write the imported timeline: `.json`, `.json.gz`, `.csv` or `.offload`. */
  readonly out: string | undefined;
}

export const traceUsage = `Usage: offload-lens trace FILE… [--check] [--compare] [--report] [--out FILE] [--json]

Imports traces (PyTorch *.pt.trace.json, Chrome trace events, .gz, from Node 22.15 on .zst) or saved profiles (*.offload)
and prints what the copies cost. A folder stands for the traces in it and below it, whatever
they are called: the ranks of one job. What else lies there is named.

  --check    exit 1 on findings of error severity: reload before its offload ended, reuse before the copy ended, offloads
             without a partner, overlap within one stream
  --compare  compare two files: the first is before, the second after
  --report   what the import kept, repaired and dropped, with byte offsets
  --out FILE write the timeline of one file: .json or .json.gz (Chrome trace events), .csv (events), .offload;
             of files that are there it replaces only those that it wrote itself
  --json     for programs: a list where there are several files; one that cannot be read has a member "problem"

Exit: 0 fine, 1 findings (with --check) or a file that cannot be read, 2 wrong usage.
`;

/** Reads the arguments; a text is what is wrong with them. */
export function readTraceArguments(args: readonly string[]): TraceRequest | string {
  const files: string[] = [];
  const flags = new Set<string>();
  let out: string | undefined;
  let onlyFiles = false;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? "";
    if (onlyFiles || !argument.startsWith("-") || argument === "-") files.push(argument);
    else if (argument === "--") onlyFiles = true;
    else if (argument === "--out" || argument.startsWith("--out=")) {
      if (out !== undefined) return "--out is given twice.";
      out = argument === "--out" ? args[++at] : argument.slice("--out=".length);
      if (out === undefined || out === "") return "--out needs a file name.";
    } else if (FLAGS.includes(argument)) flags.add(argument);
    else return `trace has no option ${shortWord(argument)}.`;
  }
  if (files.length === 0) return "trace needs at least one file.";
  const compare = flags.has("--compare");
  if (compare && files.length !== 2) return "--compare needs exactly two files.";
  if (out !== undefined && files.length !== 1) return "--out needs exactly one file.";
  if (out !== undefined && !OUT_NAMES.test(out)) return "--out writes .json, .json.gz, .csv or .offload.";
  return { files, out, compare, json: flags.has("--json"), check: flags.has("--check"), report: flags.has("--report") };
}

const FLAGS: readonly string[] = ["--json", "--check", "--compare", "--report"];
const OUT_NAMES = /\.(json|json\.gz|csv|offload)$/i;
