import type { Port } from "../channel.js";
import type { ProcessExit } from "./profilerProblems.js";

/** A started process that holds the engine, as a shell sees it. Listeners may be called in any order and more than once. */
export interface EngineProcess extends Port {
  readonly pid: number | undefined;
  kill(): void;
  /** The process has ended and every message it sent has been delivered. */
  onExit(listener: (exit: ProcessExit) => void): void;
  /** The process could not be started, or its channel broke. */
  onError(listener: (reason: string) => void): void;
}

/** What a shell lends: how to start such a process, and a clock. */
export interface EnginePort {
  /** May throw when the process cannot be created. */
  start(): EngineProcess;
  /** Calls `action` once after `delayMs`; the result revokes it. */
  after(delayMs: number, action: () => void): () => void;
}

/** The part of Node's forked `ChildProcess` that a run needs, so that core knows no Node. */
export interface ForkedChild {
  readonly pid?: number | undefined;
  readonly connected: boolean;
  send(message: object, callback: (error: Error | null) => void): boolean;
  kill(signal: "SIGKILL"): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  on(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "disconnect", listener: () => void): unknown;
}

/**
 * Makes a forked child an `EngineProcess`. Node may report the exit before the last messages are read from the channel, and
 * those would be lost; so the exit is held back until the channel has closed as well.
 */
export function adaptChild(child: ForkedChild): EngineProcess {
  return {
    pid: child.pid,
    post(message) {
      if (child.connected) child.send(message as object, () => undefined);
    },
    kill() {
      child.kill("SIGKILL");
    },
    listen(listener) {
      child.on("message", listener);
    },
    onExit(listener) {
      let exit: ProcessExit | undefined;
      let channelClosed = !child.connected;
      const report = () => {
        if (exit !== undefined && channelClosed) listener(exit);
      };
      child.on("exit", (code, signal) => {
        exit = { code, signal };
        report();
      });
      child.on("disconnect", () => {
        channelClosed = true;
        report();
      });
    },
    onError(listener) {
      child.on("error", (error) => listener(error.message));
    },
  };
}
