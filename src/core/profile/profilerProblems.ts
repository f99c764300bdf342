import type { Problem } from "../base/outcome.js";
import type { LoadAttempt } from "./processProtocol.js";

/** How a process ended, as Node reports it: one of the two is null. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Code of the Problem that a run ends with when the user cancelled it; the engine uses the same. */
export const CANCELLED = "CANCELLED";

/** The user cancelled; not an error to show, but still the one outcome of the run. */
export function cancelledProblem(): Problem {
  return {
    code: CANCELLED,
    message: "The profile was cancelled.",
    nextStep: "Start it again when you want the result.",
  };
}

/** Signals that say that the program itself went wrong; any other signal was sent by somebody. */
const CRASH_SIGNALS = new Set(["SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGSYS", "SIGTRAP"]);

/** Shells and some sandboxes report death by signal n as exit code 128 + n (POSIX shell, section "Exit Status"). */
const SIGNAL_NUMBERS: ReadonlyMap<number, string> = new Map([
  [2, "SIGINT"],
  [4, "SIGILL"],
  [6, "SIGABRT"],
  [7, "SIGBUS"],
  [8, "SIGFPE"],
  [9, "SIGKILL"],
  [11, "SIGSEGV"],
  [15, "SIGTERM"],
]);

/** Translates an exit that brought no outcome. */
export function exitProblem(exit: ProcessExit): Problem {
  const signal = exit.signal ?? (exit.code === null ? undefined : SIGNAL_NUMBERS.get(exit.code - 128));
  if (signal === undefined) return endedWithoutResult(exit.code);
  if (CRASH_SIGNALS.has(signal)) return crashed(signal);
  return killed(signal);
}

function killed(signal: string): Problem {
  if (signal === "SIGKILL") {
    return {
      code: "PROFILER_KILLED",
      message: "The profiler process was killed, perhaps by the system for using too much memory.",
      cause: "It received SIGKILL before it had a result.",
      nextStep: "Profile fewer layers or a shorter sequence, or free memory, and start it again.",
    };
  }
  return {
    code: "PROFILER_KILLED",
    message: "The profiler process was ended from outside.",
    cause: `It received ${signal} before it had a result.`,
    nextStep: "Start the profile again.",
  };
}

function crashed(signal: string): Problem {
  return {
    code: "PROFILER_CRASHED",
    message: "The profiler process crashed.",
    cause: `It ended with ${signal}, which is a fault in the native engine.`,
    nextStep: "Please report it with the log and the config.json of the model; nothing else was affected.",
  };
}

/** The variable that names the CUDA driver's library; the native engine reads it. */
const DRIVER_VARIABLE = "OFFLOAD_LENS_LIBCUDA";

/** The same problem; where the process crashed and was told which library to load as the driver, with that as the likely cause. */
export function suspectDriver(
  problem: Problem,
  env: Readonly<Record<string, string | undefined>>,
  device: string | undefined,
): Problem {
  const library = env[DRIVER_VARIABLE];
  const loadsDriver = device === undefined || device === "auto" || device === "cuda";
  if (problem.code !== "PROFILER_CRASHED" || !loadsDriver || library === undefined || library === "") return problem;
  // The engine's own fault is the less likely one.
  const how = (problem.cause ?? "").replace(/, which .*/, ".");
  return {
    ...problem,
    cause: `${how} The likely cause is the library that the variable ${DRIVER_VARIABLE} names.`,
    nextStep: `Unset ${DRIVER_VARIABLE}, or set it to the libcuda.so.1 of the NVIDIA driver.`,
  };
}

function endedWithoutResult(code: number | null): Problem {
  return {
    code: "PROFILER_CRASHED",
    message: "The profiler process ended without a result.",
    cause: `Its exit code was ${code ?? "unknown"}.`,
    nextStep: "Look into the log for what it said last, and start the profile again.",
  };
}

/** The process could not be started at all. */
export function startProblem(reason: string): Problem {
  return {
    code: "PROFILER_START_FAILED",
    message: "The profiler process could not be started.",
    cause: sentence(reason),
    nextStep: "Check that the installation is complete and that the system has memory and processes left.",
  };
}

/** The engine answered with something that is not a profile result. */
export function protocolProblem(what: string): Problem {
  return {
    code: "PROFILER_PROTOCOL",
    message: "The profiler process gave an answer that this version does not understand.",
    cause: sentence(what),
    nextStep: "Reinstall, so that all parts are of the same version.",
  };
}

/** No attempt to load the native engine succeeded: every path that was tried, then advice, likeliest first. */
export function loadProblem(platform: string, attempts: readonly LoadAttempt[]): Problem {
  const tried = attempts.map((attempt) => `${attempt.path} (${attempt.reason})`).join("; ");
  return {
    code: "PROFILER_LOAD_FAILED",
    message: `The native engine could not be loaded on ${platform}.`,
    cause: `Tried: ${tried === "" ? "nothing" : tried}.`,
    nextStep: loadAdvice(platform, attempts)
      .map((advice, place) => `(${place + 1}) ${advice}`)
      .join(" "),
  };
}

function loadAdvice(platform: string, attempts: readonly LoadAttempt[]): readonly string[] {
  const reasons = attempts.map((attempt) => attempt.reason).join("\n");
  const advice: string[] = [];
  if (platform !== "linux-x64") advice.push("Work on a Linux x64 machine: the engine is built for linux-x64 only.");
  if (/GLIBC_\d/.test(reasons)) advice.push("Use a system with the newer C library that the reason names.");
  if (/not permitted|permission denied|EACCES/i.test(reasons)) {
    advice.push("Allow reading and executing files in the folder above; it may be mounted noexec.");
  }
  if (/invalid ELF|wrong ELF|file too short/i.test(reasons)) advice.push("Reinstall: the file is damaged.");
  if (/no such file|cannot find|ENOENT/i.test(reasons)) {
    advice.push("Install the package for linux-x64, or in a checkout build the engine with `npm run build`.");
  }
  return advice.length > 0 ? advice : ["Reinstall the extension, and report the reason above if it stays."];
}

function sentence(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
