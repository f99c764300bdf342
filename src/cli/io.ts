import { visibleLine } from "../core/base/visibleText.js";
import { terminalText, withoutCommands } from "./report/terminalText.js";

/**
 * Everything that a command of the CLI may know about the process around it. Results go to `stdout`, messages for people to
 * `stderr`. Tests pass a fake; only `main.ts` builds the real one.
 */
export interface CliIo {
  stdout(text: string): void;
  stderr(text: string): void;
  /** Absolute; relative arguments are resolved against it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Which streams are terminals; absent means none. */
  readonly isTty?: { readonly stdout: boolean; readonly stderr: boolean };
  /** Calls `listener` when the user interrupts (Ctrl-C); the result removes it. Absent where nobody can interrupt. */
  onInterrupt?(listener: () => void): () => void;
}

/** What a line that is rewritten in place begins with: back to its start, and clear it. */
export const REWRITE_LINE = "\r\u001b[K";

/**
 * The same process, but nothing that a file says can steer the terminal: the one place where text leaves. JSON stays the same
 * value. With `keepsFiles`, stdout that is no terminal gets the contents of files as they are (a diff is there to be applied); in a CI
 * system, whose log it may be, without what reads as a command of that system.
 */
export function safeIo(io: CliIo, keepsFiles: boolean): CliIo {
  const isRaw = keepsFiles && io.isTty?.stdout !== true;
  const isCi = ["CI", "GITHUB_ACTIONS", "TF_BUILD", "TEAMCITY_VERSION"].some((name) => io.env[name] !== undefined);
  return {
    ...io,
    stdout: (text) => io.stdout(!isRaw ? terminalText(text) : isCi ? withoutCommands(text) : text),
    stderr: (text) =>
      io.stderr(
        text.startsWith(REWRITE_LINE)
          ? REWRITE_LINE + terminalText(text.slice(REWRITE_LINE.length))
          : terminalText(text),
      ),
  };
}

/** Says one sentence on stderr: one line, whatever the names in it. */
export function say(io: Pick<CliIo, "stderr">, sentence: string): void {
  io.stderr(`${visibleLine(sentence)}\n`);
}

/** Exit codes of every command. */
export const ExitCode = {
  fine: 0,
  /** Findings of error severity, a failed run, or a selection that the framework would refuse. */
  failed: 1,
  wrongUsage: 2,
} as const;
