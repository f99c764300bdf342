import { resolve } from "node:path";
import { commandTable, one, toggle, withDefault } from "../../core/base/flags.js";
import { type Outcome, type Problem, succeed } from "../../core/base/outcome.js";
import { tableLines } from "../../core/base/table.js";
import { textOf } from "../../core/base/valueKinds.js";
import type { EnginePort } from "../../core/profile/childProcess.js";
import { aDevice } from "../../core/profile/engineFlags.js";
import { type LinkRates, type LinkResult, startLink } from "../../core/profile/link.js";
import { suspectDriver } from "../../core/profile/profilerProblems.js";
import { type Replacing, whyKept, writePieces } from "../../node/writePieces.js";
import { asked, type CliCommand } from "../cliCommand.js";
import { type CliIo, ExitCode, say } from "../io.js";
import { problemText } from "../report/problemText.js";
import { linesOfText } from "../report/terminalText.js";
import { nodeProfilerPort } from "./ports.js";

/** `offload-lens link`: measures copies between host and device in a process of its own. */
export function link(args: string[], io: CliIo): Promise<number> {
  return linkWith(nodeProfilerPort, args, io);
}

/** The same with given processes. */
export async function linkWith(port: EnginePort, args: readonly string[], io: CliIo): Promise<number> {
  const line = asked(linkTable, args, io);
  if (!line.ok) return line.exitCode;
  const parsed = line.request;
  const profilePath = parsed.profilePath === undefined ? undefined : resolve(io.cwd, parsed.profilePath);
  const kept = profilePath === undefined ? undefined : await whyKept(profilePath, replacingCalibrations);
  if (kept !== undefined) return failed(io, kept);
  const running = startLink(port, parsed.device, profilePath !== undefined);
  const stopListening = io.onInterrupt?.(() => running.cancel());
  const outcome = await running.outcome;
  stopListening?.();
  if (!outcome.ok) return failed(io, suspectDriver(outcome.problem, io.env, parsed.device));
  // The measurement took minutes: it is printed whether or not it can be saved.
  io.stdout(parsed.json ? `${outcome.value.resultJson.trimEnd()}\n` : formatLink(outcome.value.result));
  if (profilePath !== undefined) {
    const text = `${JSON.stringify(outcome.value.result.profile, null, 2)}\n`;
    const saved = await writePieces(profilePath, [text], replacingCalibrations);
    if (!saved.ok) return failed(io, saved.problem);
    say(io, `Wrote ${parsed.profilePath}; simulate on it with --device sim:${parsed.profilePath}.`);
  }
  return ExitCode.fine;
}

function failed(io: CliIo, problem: Problem): number {
  io.stderr(`${problemText(problem)}\n`);
  return ExitCode.failed;
}

interface LinkArguments {
  readonly device: string;
  readonly json: boolean;
  readonly profilePath: string | undefined;
}

const linkTable = commandTable({
  name: "link",
  summary: "measure the link between host and device",
  flags: {
    "--device": withDefault(
      one("D", aDevice, aDevice.what),
      "auto",
      "auto: the first GPU that can be used, else the CPU",
    ),
    "--calibrate": one(
      "FILE.json",
      textOf("a file whose name ends in .json", /\.json$/),
      "measure the device, too, and write a profile that --device sim:FILE.json simulates",
    ),
    "--json": toggle("print {device, pinned, pageable, verified, warnings} as JSON"),
  },
  notes: `
Copies of 1 GiB (less on a small machine) in each direction and both at once, with pinned and with pageable host memory, timed by the device.
A pattern goes out and comes back and is compared.`,
  exits: { 1: "it failed" },
  read({ flags }): Outcome<LinkArguments> {
    return succeed({ device: flags["--device"], json: flags["--json"], profilePath: flags["--calibrate"] });
  },
});

export const linkCommand: CliCommand = { table: linkTable, run: link };

/** A calibration takes minutes: that its file cannot be replaced is said before. */
const replacingCalibrations: Replacing = {
  isReplaceable(start) {
    try {
      const value = JSON.parse(new TextDecoder().decode(start)) as { readonly matmulTflops?: unknown } | null;
      return typeof value?.matmulTflops === "number";
    } catch {
      return false;
    }
  },
};

/** Wide enough for any rate, so that the columns of two measurements stand alike. */
const RATE_WIDTH = 7;

/** The table for people. */
function formatLink(result: LinkResult): string {
  const { device } = result;
  const node = device.numaNode === undefined ? "" : `, memory node ${device.numaNode}`;
  const lines = [
    `${device.name}${device.driver === null ? "" : `, driver ${device.driver}`}${node}`,
    "",
    ...tableLines(
      [["GB/s (10^9)", "D2H", "H2D", "both"], rateRow("pinned", result.pinned), rateRow("pageable", result.pageable)],
      ["left", "right"],
      RATE_WIDTH,
    ),
    "",
    result.verified === null
      ? "A simulated device moves no bytes: nothing was verified."
      : "The copied pattern came back whole.",
    ...result.warnings.map(({ message }) => message),
  ];
  return `${linesOfText(lines)}\n`;
}

function rateRow(label: string, rates: LinkRates | null): readonly string[] {
  const cells = rates === null ? ["-", "-", "-"] : [rates.d2hGBps, rates.h2dGBps, rates.bothGBps].map(rateText);
  return [label, ...cells];
}

/** 0 is no measurement: the two directions never ran at once. */
function rateText(gigabytesPerSecond: number): string {
  return gigabytesPerSecond === 0 ? "-" : gigabytesPerSecond.toFixed(2);
}
