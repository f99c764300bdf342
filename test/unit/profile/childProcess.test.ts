import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { adaptChild } from "../../../src/core/profile/childProcess.js";
import type { ProcessExit } from "../../../src/core/profile/profilerProblems.js";

class FakeChild extends EventEmitter {
  readonly pid = 7;
  connected = true;
  readonly sent: object[] = [];
  readonly signals: string[] = [];
  send(message: object): boolean {
    this.sent.push(message);
    return true;
  }
  kill(signal: string): boolean {
    this.signals.push(signal);
    return true;
  }
}

function adapt(child = new FakeChild()) {
  const exits: ProcessExit[] = [];
  const messages: unknown[] = [];
  const process = adaptChild(child);
  process.onExit((exit) => exits.push(exit));
  process.listen((message) => messages.push(message));
  return { child, process, exits, messages };
}

describe("adaptChild", () => {
  it("holds the exit back until the channel has closed", () => {
    const { child, exits, messages } = adapt();
    child.emit("exit", null, "SIGKILL");
    expect(exits).toEqual([]);
    child.emit("message", "last word");
    child.emit("disconnect");
    expect(messages).toEqual(["last word"]);
    expect(exits).toEqual([{ code: null, signal: "SIGKILL" }]);
  });

  it("reports the exit at once when the channel closed first", () => {
    const { child, exits } = adapt();
    child.emit("disconnect");
    expect(exits).toEqual([]);
    child.emit("exit", 0, null);
    expect(exits).toEqual([{ code: 0, signal: null }]);
  });

  it("does not send to a child that is gone", () => {
    const { child, process } = adapt();
    process.post({ packet: "cancel" });
    child.connected = false;
    process.post({ packet: "cancel" });
    expect(child.sent).toEqual([{ packet: "cancel" }]);
  });

  it("kills with SIGKILL", () => {
    const { child, process } = adapt();
    process.kill();
    expect(child.signals).toEqual(["SIGKILL"]);
  });
});
