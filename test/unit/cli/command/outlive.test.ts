import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { outlive } from "../../../../src/cli/command/outlive.js";

function watched() {
  const lost: string[] = [];
  const stream = new EventEmitter();
  outlive(stream, (reason) => lost.push(reason));
  return { stream, lost };
}

function systemError(code: string) {
  return Object.assign(new Error(`${code}: write failed`), { code });
}

it("takes a reader that went away for the end of the output", () => {
  const { stream, lost } = watched();
  stream.emit("error", systemError("EPIPE"));
  stream.emit("error", systemError("EPIPE"));
  expect(lost).toEqual([]);
});

it("tells any other failure by the system's code", () => {
  const { stream, lost } = watched();
  stream.emit("error", systemError("ENOSPC"));
  stream.emit("error", new Error("write after end"));
  expect(lost).toEqual(["ENOSPC", "write after end"]);
});
