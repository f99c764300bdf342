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

/** Exit codes of every command. */
export const ExitCode = {
  fine: 0,
  /** Findings of error severity, a failed run, or a selection that the framework would refuse. */
  failed: 1,
  wrongUsage: 2,
} as const;
