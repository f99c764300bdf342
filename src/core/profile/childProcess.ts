import type { ToProfiler } from "./processProtocol.js";
import type { ProcessExit } from "./profilerProblems.js";
import type { ProfilerProcess } from "./profilerSession.js";

/** The part of Node's forked `ChildProcess` that a run needs, so that core knows no Node. */
export interface ForkedChild<Message = ToProfiler> {
  readonly pid?: number | undefined;
  readonly connected: boolean;
  send(message: Message, callback: (error: Error | null) => void): boolean;
  kill(signal: "SIGKILL"): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  on(event: "exit", listener: (code: number | null, signal: string | null) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "disconnect", listener: () => void): unknown;
}

/**
 * Makes a forked child a `ProfilerProcess`. Node may report the exit before the last messages are read from the channel, and
 * those would be lost; so the exit is held back until the channel has closed as well.
 */
export function adaptChild<Message = ToProfiler>(child: ForkedChild<Message>): ProfilerProcess<Message> {
  return {
    pid: child.pid,
    send(message) {
      if (child.connected) child.send(message, () => undefined);
    },
    kill() {
      child.kill("SIGKILL");
    },
    onMessage(listener) {
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
