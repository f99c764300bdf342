import { totalmem } from "node:os";
import { isAbsolute, resolve } from "node:path";
import type { Problem } from "../../core/base/outcome.js";
import type { CheckOptions } from "../../core/config/check.js";
import { checkConfig } from "../../core/config/check.js";
import type { Diagnostic } from "../../core/config/document/diagnostic.js";
import { LineIndex } from "../../core/config/document/position.js";
import { dialectOf, readConfig } from "../../core/config/readConfig.js";
import { type CliIo, ExitCode, say } from "../io.js";
import { type CheckedFile, type CheckFinding, renderCheckReport } from "../report/checkReport.js";
import { renderSarif } from "../report/checkSarif.js";
import { problemText } from "../report/problemText.js";
import { shortWord } from "../report/terminalText.js";
import { findConfigFiles, readConfigFile } from "./configFiles.js";
import { namedModels } from "./namedModels.js";

const usage = `Usage: offload-lens check PATH… [--json | --sarif] [--host-memory-gb X]

Diagnoses configurations of verl's VeOmni engine and of VeOmni itself: YAML files, the overrides and flags in shell scripts
(*.sh, *.bash), blocks of shell text and YAML in Markdown (*.md), and .hydra/overrides.yaml. Folders are walked; other files get
nothing.

  --json              a JSON list of findings on stdout; positions are 1-based, ends exclusive
  --sarif             a SARIF 2.1.0 log on stdout, for code scanning and editors
  --host-memory-gb X  host memory of one node in units of 2^30 bytes; default: that of this machine
  --help              this text

Every rule with an example is in media/rules.md.
Exit code: 0 no errors, 1 findings of error severity, 2 wrong usage or a path that cannot be read,
in a folder too.`;

interface CheckArguments {
  readonly paths: readonly string[];
  readonly format: "text" | "json" | "sarif";
  readonly hostMemoryBytes: number;
}

/** `offload-lens check PATH… [--json | --sarif]`: diagnoses configurations. Returns the exit code. */
export async function check(args: string[], io: CliIo): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    io.stdout(`${usage}\n`);
    return ExitCode.fine;
  }
  const parsed = parseArguments(args);
  if (typeof parsed === "string") {
    io.stderr(`${parsed}\n\n${usage}\n`);
    return ExitCode.wrongUsage;
  }
  const run = new CheckRun(io, { hostMemoryBytes: parsed.hostMemoryBytes });
  for (const path of parsed.paths) await run.checkPath(path);
  return run.finish(parsed.format);
}

/** The arguments, or what is wrong with them. */
function parseArguments(args: readonly string[]): CheckArguments | string {
  const paths: string[] = [];
  let format: CheckArguments["format"] = "text";
  let hostMemoryBytes = totalmem();
  let onlyPaths = false;
  for (let at = 0; at < args.length; at++) {
    const argument = args[at] ?? "";
    if (onlyPaths || !argument.startsWith("-")) paths.push(argument);
    else if (argument === "--") onlyPaths = true;
    else if (argument === "--json" || argument === "--sarif") {
      if (format !== "text") return "check writes one format: --json or --sarif.";
      format = argument === "--json" ? "json" : "sarif";
    } else if (argument === "--host-memory-gb" || argument.startsWith("--host-memory-gb=")) {
      const given = argument.includes("=") ? argument.slice(argument.indexOf("=") + 1) : args[++at];
      const size = /^\d+(?:\.\d+)?$/.test(given ?? "") ? Number(given) : Number.NaN;
      if (!(size > 0 && size < 1e9)) return "--host-memory-gb needs a number above 0.";
      hostMemoryBytes = size * 2 ** 30;
    } else return `check does not know ${shortWord(argument)}.`;
  }
  return paths.length === 0 ? "check needs a file or a folder." : { paths, format, hostMemoryBytes };
}

class CheckRun {
  readonly #files: CheckedFile[] = [];
  readonly #seen = new Set<string>();
  #pathFailed = false;

  constructor(
    private readonly io: CliIo,
    private readonly options: CheckOptions,
  ) {}

  async checkPath(argument: string): Promise<void> {
    const found = await findConfigFiles(argument, (path) => this.#absolute(path));
    if (!found.ok) return this.#failPath(found.problem);
    for (const problem of found.value.problems) this.#failPath(problem);
    for (const path of found.value.skipped) {
      say(this.io, `${path}: skipped. Checked are YAML, shell scripts and Markdown.`);
    }
    const isNamedFile = found.value.files.length === 1 && found.value.files[0] === argument;
    for (const path of found.value.files) await this.#checkFile(path, isNamedFile);
  }

  finish(format: CheckArguments["format"]): number {
    const findings = this.#files.flatMap((file) => file.findings);
    if (format === "json") this.io.stdout(`${JSON.stringify(findings, null, 2)}\n`);
    else if (format === "sarif") this.io.stdout(`${JSON.stringify(renderSarif(findings), null, 2)}\n`);
    // A path that fails says why on stderr; that nothing was found would only distract from it.
    else if (this.#files.length > 0 || !this.#pathFailed) this.io.stdout(renderCheckReport(this.#files));
    if (this.#pathFailed) return ExitCode.wrongUsage;
    return findings.some((finding) => finding.severity === "error") ? ExitCode.failed : ExitCode.fine;
  }

  async #checkFile(path: string, isNamedFile: boolean): Promise<void> {
    const absolute = this.#absolute(path);
    if (this.#seen.has(absolute)) return;
    this.#seen.add(absolute);
    const text = await readConfigFile(path, absolute);
    if (!text.ok) return this.#failPath(text.problem);
    const read = readConfig(absolute, text.value, this.options);
    if (read !== undefined) {
      const diagnostics = checkConfig(read, { ...this.options, models: await namedModels(read, this.io) });
      this.#files.push({ file: path, findings: findingsOf(path, text.value, dialectOf(read), diagnostics) });
    } else if (isNamedFile) {
      say(this.io, `${path}: nothing to check. This configures neither verl's VeOmni engine nor VeOmni itself.`);
    }
  }

  #absolute(path: string): string {
    return isAbsolute(path) ? path : resolve(this.io.cwd, path);
  }

  /** What was not read was not checked, whether it was named or lies in a folder that was. */
  #failPath(problem: Problem): void {
    this.#pathFailed = true;
    this.io.stderr(`${problemText(problem)}\n`);
  }
}

function findingsOf(file: string, text: string, dialect: string, diagnostics: readonly Diagnostic[]): CheckFinding[] {
  const lines = new LineIndex(text);
  const range = (span: { start: number; end: number }) => {
    const start = lines.positionAt(span.start);
    const end = lines.positionAt(span.end);
    return { line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
  };
  return diagnostics.map((diagnostic) => ({
    file,
    dialect,
    ...range(diagnostic.span),
    severity: diagnostic.severity,
    code: diagnostic.code,
    message: diagnostic.message,
    fixes: diagnostic.fixes.map((fix) => ({
      title: fix.title,
      edits: fix.edits.map((edit) => ({ ...range(edit.span), newText: edit.newText })),
    })),
  }));
}
