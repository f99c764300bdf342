import { resolve } from "node:path";
import type { Problem } from "../../core/base/outcome.js";
import { type LinkRates, type LinkResult, startLink } from "../../core/profile/link.js";
import { suspectDriver } from "../../core/profile/profilerProblems.js";
import type { ProfilerPort } from "../../core/profile/profilerSession.js";
import { type Replacing, whyKept, writePieces } from "../../node/writePieces.js";
import { type CliIo, ExitCode, say } from "../io.js";
import { problemText } from "../report/problemText.js";
import { linesOfText, shortWord } from "../report/terminalText.js";
import { nodeProfilerPort } from "./profilerPort.js";

/** `offload-lens link`: measures copies between host and device in a process of its own. */
export function link(args: string[], io: CliIo): Promise<number> {
  return linkWith(nodeProfilerPort, args, io);
}

/** The same with given processes. */
export async function linkWith(port: ProfilerPort, args: readonly string[], io: CliIo): Promise<number> {
  const parsed = parse(args);
  if (parsed === "help") {
    io.stdout(HELP);
    return ExitCode.fine;
  }
  if (typeof parsed === "string") {
    io.stderr(`${parsed}\nSee \`offload-lens link --help\`.\n`);
    return ExitCode.wrongUsage;
  }
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

const WITH_VALUE = ["--device", "--calibrate"] as const;

/** The arguments, `help`, or a sentence about what is wrong. */
function parse(args: readonly string[]): LinkArguments | string {
  const values = new Map<string, string>();
  let json = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--help" || word === "-h") return "help";
    if (word === "--json") {
      json = true;
      continue;
    }
    const flag = WITH_VALUE.find((name) => word === name || word.startsWith(`${name}=`));
    if (flag === undefined) return `"${shortWord(word)}" is not expected by link.`;
    if (values.has(flag)) return `${flag} is given twice.`;
    const value = word === flag ? args[++at] : word.slice(flag.length + 1);
    if (value === undefined || value === "" || (word === flag && value.startsWith("--")))
      return flag === "--device" ? "--device needs a value." : "--calibrate needs a file.";
    values.set(flag, value);
  }
  const device = values.get("--device") ?? "auto";
  const profilePath = values.get("--calibrate");
  if (!/^(auto|cuda|cpu|sim:.+)$/.test(device))
    return `--device ${shortWord(device)}: use auto, cuda, cpu or sim:NAME.`;
  if (profilePath !== undefined && !profilePath.endsWith(".json"))
    return "--calibrate: the name of the file must end in .json.";
  return { device, json, profilePath };
}

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

/** The table for people. */
function formatLink(result: LinkResult): string {
  const { device } = result;
  const node = device.numaNode === undefined ? "" : `, memory node ${device.numaNode}`;
  const lines = [
    `${device.name}${device.driver === null ? "" : `, driver ${device.driver}`}${node}`,
    "",
    "GB/s (10^9)      D2H      H2D     both",
    line("pinned", result.pinned),
    line("pageable", result.pageable),
    "",
    result.verified === null
      ? "A simulated device moves no bytes: nothing was verified."
      : "The copied pattern came back whole.",
    ...result.warnings.map(({ message }) => message),
  ];
  return `${linesOfText(lines)}\n`;
}

function line(label: string, rates: LinkRates | null): string {
  const cells = rates === null ? ["-", "-", "-"] : [rates.d2hGBps, rates.h2dGBps, rates.bothGBps].map(rateText);
  return label.padEnd(11) + cells.map((cell) => cell.padStart(9)).join("");
}

/** 0 is no measurement: the two directions never ran at once. */
function rateText(gigabytesPerSecond: number): string {
  return gigabytesPerSecond === 0 ? "-" : gigabytesPerSecond.toFixed(2);
}

const HELP = `offload-lens link: measure the link between host and device.

Usage: offload-lens link [--device D] [--calibrate FILE.json] [--json]

  --device D  auto, cuda, cpu or sim:NAME (default auto: the first GPU that can be used, else the CPU)
  --calibrate FILE.json  measure the device, too, and write a profile that --device sim:FILE.json simulates
  --json      print {device, pinned, pageable, verified, warnings} as JSON

Copies of 1 GiB (less on a small machine) in each direction and both at once, with pinned and with pageable host memory, timed by the device.
A pattern goes out and comes back and is compared.

Exit: 0 fine, 1 it failed, 2 wrong usage.
`;
