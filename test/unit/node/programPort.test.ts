import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { programPort } from "../../../src/node/programPort.js";

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "program-port-"));
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function program(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe("a program of the bundle", () => {
  it("answers, and what it says to stderr and its end are logged under its name", async () => {
    const path = program(
      "echo.cjs",
      'console.error("a word of mine"); process.on("message", (text) => process.send(`${text}!`, () => process.exit(3)));',
    );
    const said: string[] = [];
    const log = { info: (text: string) => said.push(text), warn: (text: string) => said.push(text) };
    const child = programPort(path, log).start();
    const answers: unknown[] = [];
    child.listen((message) => answers.push(message));
    child.post("ready");
    const exit = await new Promise((resolve) => child.onExit(resolve));
    expect(answers).toEqual(["ready!"]);
    expect(exit).toEqual({ code: 3, signal: null });
    expect(said).toContain("a word of mine");
    expect(said).toContain(`echo process ${child.pid} started`);
    expect(said).toContain(`echo process ${child.pid} ended: code 3`);
  });

  it("that is missing is named", () => {
    const path = join(folder, "absent.cjs");
    expect(() => programPort(path).start()).toThrow(`${path} is missing`);
  });

  it("comes with a clock whose calls can be revoked", async () => {
    const called: string[] = [];
    const port = programPort(join(folder, "absent.cjs"));
    const revoke = port.after(0, () => called.push("revoked"));
    revoke();
    await new Promise<void>((resolve) => {
      port.after(0, resolve);
    });
    expect(called).toEqual([]);
  });
});
