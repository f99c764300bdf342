import { commandTable, flagsConflict, one, toggle } from "../../core/base/flags.js";
import { type Outcome, succeed } from "../../core/base/outcome.js";
import { textOf } from "../../core/base/valueKinds.js";

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

const OUT_NAMES = /\.(json|json\.gz|csv|offload)$/i;

/** The command line of `trace`. */
export const traceTable = commandTable({
  name: "trace",
  summary: "import traces and print what the copies cost",
  about: `
Imports traces (PyTorch *.pt.trace.json, Chrome trace events, .gz, from Node 22.15 on .zst) or saved profiles (*.offload)
and prints what the copies cost. A folder stands for the traces in it and below it, whatever
they are called: the ranks of one job. What else lies there is named.`,
  operands: { name: "FILE", what: "at least one file", most: Number.POSITIVE_INFINITY },
  flags: {
    "--check": toggle(
      "exit 1 on findings of error severity: reload before its offload ended, reuse before the copy ended, offloads without a partner, overlap within one stream",
    ),
    "--compare": toggle("compare two files: the first is before, the second after"),
    "--report": toggle("what the import kept, repaired and dropped, with byte offsets"),
    "--out": one(
      "FILE",
      textOf("a name that ends in .json, .json.gz, .csv or .offload", OUT_NAMES),
      "write the timeline of one file: .json or .json.gz (Chrome trace events), .csv (events), .offload; of files that are there it replaces only those that it wrote itself",
    ),
    "--json": toggle(
      'for programs: a list where there are several files; one that cannot be read has a member "problem"',
    ),
  },
  exits: { 1: "findings (with --check) or a file that cannot be read" },
  read({ flags, operands: files }): Outcome<TraceRequest> {
    const { "--compare": compare, "--out": out } = flags;
    if (compare && files.length !== 2) {
      return flagsConflict(`--compare needs two files, and ${files.length} are given.`, "Give two files.");
    }
    if (out !== undefined && files.length !== 1) {
      return flagsConflict(`--out writes one file, and ${files.length} are given.`, "Give one file.");
    }
    return succeed({ files, out, compare, json: flags["--json"], check: flags["--check"], report: flags["--report"] });
  },
});
