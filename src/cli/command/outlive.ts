/** The part of an output stream that this needs. */
export interface FailingStream {
  on(event: "error", listener: (error: Error) => void): unknown;
}

/**
 * Lets the process outlive a stream that fails, so that the exit code says what the command found. A reader that went away early
 * (`offload-lens match … | head`) is no failure; any other reason goes to `onLost`, once per error, as the system's code.
 */
export function outlive(stream: FailingStream, onLost: (reason: string) => void): void {
  stream.on("error", (error) => {
    const code = failureCode(error);
    if (code !== "EPIPE") onLost(code);
  });
}

/** The system's code of a failed write, else what the error says. */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
}
