import { totalmem } from "node:os";
import { isAbsolute, resolve } from "node:path";
import { commandTable, one, toggle } from "../../core/base/flags.js";
import { type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { gibibytes } from "../../core/base/valueKinds.js";
import type { CheckOptions } from "../../core/config/check.js";
import { checkConfig } from "../../core/config/check.js";
import type { Diagnostic } from "../../core/config/document/diagnostic.js";
import type { Launch } from "../../core/config/document/launch.js";
import { LineIndex } from "../../core/config/document/position.js";
import { launchesIn } from "../../core/config/overrides/launches.js";
import { dialectOf, type ReadConfig, readConfig } from "../../core/config/readConfig.js";
import { isScript } from "../../core/config/shell/overrides.js";
import { asked, type CliCommand } from "../cliCommand.js";
import { type CliIo, ExitCode, say } from "../io.js";
import { type CheckedFile, type CheckFinding, renderCheckReport } from "../report/checkReport.js";
import { renderSarif } from "../report/checkSarif.js";
import { problemText } from "../report/problemText.js";
import { findConfigFiles, readConfigFile } from "./configFiles.js";
import { namedModels } from "./namedModels.js";

const checkTable = commandTable({
  name: "check",
  summary: "diagnose configuration files",
  about: `
Diagnoses configurations of verl's VeOmni engine and of VeOmni itself: YAML files, the overrides and flags in shell scripts
(*.sh, *.bash), blocks of shell text and YAML in Markdown (*.md), and .hydra/overrides.yaml. Folders are walked; other files get
nothing. Scripts among them say which keys a file gets from the command line that starts it.`,
  operands: { name: "PATH", what: "a file or a folder", most: Number.POSITIVE_INFINITY },
  flags: {
    "--json": toggle("a JSON list of findings on stdout; positions are 1-based, ends exclusive"),
    "--sarif": toggle("a SARIF 2.1.0 log on stdout, for code scanning and editors"),
    "--host-memory-gb": one(
      "X",
      gibibytes,
      "host memory of one node in units of 2^30 bytes (default that of this machine)",
    ),
  },
  choices: [{ of: ["--json", "--sarif"] }],
  notes: "Every rule with an example is in media/rules.md.",
  exits: {
    0: "no errors",
    1: "findings of error severity",
    2: "wrong usage or a path that cannot be read, in a folder too",
  },
  read({ flags, operands }): Outcome<CheckArguments> {
    const hostMemoryGib = flags["--host-memory-gb"];
    return succeed({
      paths: operands,
      format: flags["--json"] ? "json" : flags["--sarif"] ? "sarif" : "text",
      hostMemoryBytes: hostMemoryGib === undefined ? totalmem() : hostMemoryGib * 2 ** 30,
    });
  },
});

interface CheckArguments {
  readonly paths: readonly string[];
  readonly format: "text" | "json" | "sarif";
  readonly hostMemoryBytes: number;
}

/** `offload-lens check PATH… [--json | --sarif]`: diagnoses configurations. Returns the exit code. */
export async function check(args: string[], io: CliIo): Promise<number> {
  const line = asked(checkTable, args, io);
  if (!line.ok) return line.exitCode;
  const { paths, format, hostMemoryBytes } = line.request;
  const run = new CheckRun(io, { hostMemoryBytes });
  for (const path of paths) await run.findFiles(path);
  return run.finish(format, await run.checkFiles());
}

export const checkCommand: CliCommand = { table: checkTable, run: check };

interface FoundFile {
  /** As the user would write it. */
  readonly path: string;
  readonly absolute: string;
  /** Given by name, not found in a folder. */
  readonly isNamed: boolean;
}

class CheckRun {
  readonly #found = new Map<string, FoundFile>();
  #launches: Promise<readonly Launch[]> | undefined;
  #pathFailed = false;

  constructor(
    private readonly io: CliIo,
    private readonly options: CheckOptions,
  ) {}

  async findFiles(argument: string): Promise<void> {
    const found = await findConfigFiles(argument, (path) => this.#absolute(path));
    if (!found.ok) return this.#failPath(found.problem);
    for (const problem of found.value.problems) this.#failPath(problem);
    for (const path of found.value.skipped) {
      say(this.io, `${path}: skipped. Checked are YAML, shell scripts and Markdown.`);
    }
    const isNamed = found.value.files.length === 1 && found.value.files[0] === argument;
    for (const path of found.value.files) {
      const absolute = this.#absolute(path);
      if (!this.#found.has(absolute)) this.#found.set(absolute, { path, absolute, isNamed });
    }
  }

  async checkFiles(): Promise<readonly CheckedFile[]> {
    const checked: CheckedFile[] = [];
    for (const file of this.#found.values()) {
      const result = await this.#checkFile(file);
      if (result !== undefined) checked.push(result);
    }
    return checked;
  }

  finish(format: CheckArguments["format"], files: readonly CheckedFile[]): number {
    const findings = files.flatMap((file) => file.findings);
    if (format === "json") this.io.stdout(`${JSON.stringify(findings, null, 2)}\n`);
    else if (format === "sarif") this.io.stdout(`${JSON.stringify(renderSarif(findings), null, 2)}\n`);
    // A path that fails says why on stderr; that nothing was found would only distract from it.
    else if (files.length > 0 || !this.#pathFailed) this.io.stdout(renderCheckReport(files));
    if (this.#pathFailed) return ExitCode.wrongUsage;
    return findings.some((finding) => finding.severity === "error") ? ExitCode.failed : ExitCode.fine;
  }

  async #checkFile({ path, absolute, isNamed }: FoundFile): Promise<CheckedFile | undefined> {
    const text = await readConfigFile(path, absolute);
    if (!text.ok) {
      this.#failPath(text.problem);
      return undefined;
    }
    const read = readConfig(absolute, text.value, this.options);
    if (read === undefined) {
      if (isNamed) {
        say(this.io, `${path}: nothing to check. This configures neither verl's VeOmni engine nor VeOmni itself.`);
      }
      return undefined;
    }
    const diagnostics = await this.#diagnose(read);
    return { file: path, findings: findingsOf(path, text.value, dialectOf(read), diagnostics) };
  }

  async #diagnose(read: ReadConfig): Promise<readonly Diagnostic[]> {
    const options = { ...this.options, models: await namedModels(read, this.io) };
    const diagnostics = checkConfig(read, options);
    if (!diagnostics.some(({ code }) => code === "missing-key")) return diagnostics;
    // Only then the flags of a script may matter.
    this.#launches ??= this.#readLaunches();
    const launches = await this.#launches;
    return launches.length === 0 ? diagnostics : checkConfig(read, { ...options, launches });
  }

  /** The commands of all scripts of this run; those that cannot be read are told where they are checked. */
  async #readLaunches(): Promise<readonly Launch[]> {
    const launches: Launch[] = [];
    for (const { path, absolute } of this.#found.values()) {
      const text = isScript(path) ? await readConfigFile(path, absolute) : undefined;
      if (text?.ok) for (const launch of launchesIn(absolute, text.value)) launches.push(launch);
    }
    return launches;
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
