import { expect, test } from "vitest";
import { LOG_EVERY_MS, SweepProgress } from "../../../../src/cli/command/sweepProgress.js";
import { FakeProcess } from "../../profile/fakeProcess.js";

function progress(isTerminal: boolean, isForProgram: boolean) {
  const said: string[] = [];
  const clock = new FakeProcess();
  const io = {
    stdout: () => undefined,
    stderr: (text: string) => void said.push(text),
    cwd: "/",
    env: {},
    isTty: { stdout: false, stderr: isTerminal },
  };
  return { said, clock, progress: new SweepProgress(io, clock, isForProgram) };
}

test("a terminal has one line, which goes at the end", () => {
  const { said, clock, progress: shown } = progress(true, false);
  shown.show(1, 8);
  clock.pass(10 * LOG_EVERY_MS);
  shown.end();
  expect(said).toEqual(["\r\u001b[K12 %", "\r\u001b[K"]);
});

test("a log gets a line now and then, the newest, and none after the end", () => {
  const { said, clock, progress: shown } = progress(false, false);
  shown.show(1, 8);
  shown.show(2, 8);
  expect(said).toEqual([]);
  clock.pass(LOG_EVERY_MS);
  shown.show(6, 8);
  clock.pass(LOG_EVERY_MS);
  expect(said).toEqual(["Simulating, 25 %\n", "Simulating, 75 %\n"]);
  shown.end();
  clock.pass(LOG_EVERY_MS);
  expect(said).toHaveLength(2);
});

test("who reads JSON hears nothing beside it", () => {
  const { said, clock, progress: shown } = progress(false, true);
  shown.show(1, 8);
  clock.pass(LOG_EVERY_MS);
  shown.end();
  expect(said).toEqual([]);
});
