import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { describeProblem, type Problem } from "../core/outcome.js";
import { type LinkRates, type LinkResult, startLink } from "../core/profile/link.js";
import type { ProfilerPort } from "../core/profile/profilerSession.js";
import { type CliIo, ExitCode } from "./io.js";
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
  const running = startLink(port, parsed.device, parsed.profilePath !== undefined);
  const stopListening = io.onInterrupt?.(() => running.cancel());
  const outcome = await running.outcome;
  stopListening?.();
  if (!outcome.ok) {
    io.stderr(`${describeProblem(outcome.problem)}\n`);
    return ExitCode.failed;
  }
  if (parsed.profilePath !== undefined) {
    const saved = await writeProfile(resolve(io.cwd, parsed.profilePath), outcome.value.result.profile);
    if (saved !== undefined) {
      io.stderr(`${describeProblem(saved)}\n`);
      return ExitCode.failed;
    }
    io.stderr(`Wrote ${parsed.profilePath}; simulate on it with --device sim:${parsed.profilePath}.\n`);
  }
  io.stdout(parsed.json ? `${outcome.value.resultJson.trimEnd()}\n` : formatLink(outcome.value.result));
  return ExitCode.fine;
}

interface LinkArguments {
  readonly device: string;
  readonly json: boolean;
  readonly profilePath: string | undefined;
}

/** The arguments, `help`, or a sentence about what is wrong. */
function parse(args: readonly string[]): LinkArguments | string {
  let device: string | undefined;
  let json = false;
  let profilePath: string | undefined;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    if (word === "--help" || word === "-h") return "help";
    if (word === "--json") {
      json = true;
      continue;
    }
    if (word === "--calibrate") {
      at += 1;
      profilePath = args[at];
      if (profilePath === undefined || profilePath.startsWith("--")) return "--calibrate needs a file.";
      if (!profilePath.endsWith(".json")) return "--calibrate: the name of the file must end in .json.";
      continue;
    }
    const [flag, inline] = word.startsWith("--device=")
      ? ["--device", word.slice("--device=".length)]
      : [word, undefined];
    if (flag !== "--device") return `"${word}" is not expected by link.`;
    if (device !== undefined) return "--device is given twice.";
    if (inline === undefined) at += 1;
    device = inline ?? args[at];
    if (device === undefined) return "--device needs a value.";
    if (!/^(auto|cuda|cpu|sim:.+)$/.test(device)) return `--device ${device}: use auto, cuda, cpu or sim:NAME.`;
  }
  return { device: device ?? "auto", json, profilePath };
}

/** A new file, or one that holds a profile: what else lies there stays. */
async function writeProfile(path: string, profile: unknown): Promise<Problem | undefined> {
  const failed = (cause: string): Problem => ({
    code: "SAVE_FAILED",
    message: `The calibration could not be saved as ${path}.`,
    cause,
    nextStep: "Choose another place, and calibrate again.",
  });
  if (existsSync(path) && !holdsProfile(path)) return failed("There is a file of another kind, which is not replaced.");
  try {
    writeFileSync(path, `${JSON.stringify(profile, null, 2)}\n`);
    return undefined;
  } catch (error) {
    return failed(error instanceof Error ? `${error.message}.` : "It cannot be written.");
  }
}

function holdsProfile(path: string): boolean {
  try {
    const value = JSON.parse(readFileSync(path, "utf8")) as { readonly matmulTflops?: unknown } | null;
    return typeof value?.matmulTflops === "number";
  } catch {
    return false;
  }
}

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
  return `${lines.join("\n")}\n`;
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
