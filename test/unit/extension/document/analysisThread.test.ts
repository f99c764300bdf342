import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AnalysisRequest } from "../../../../src/extension/document/analyseText.js";
import { AnalysisThread } from "../../../../src/extension/document/analysisThread.js";

let folder: string;
let script: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "offload-lens-analysis-"));
  script = join(folder, "analysis.cjs");
  const entryPoints = ["src/extension/document/analysisWorker.ts"];
  buildSync({ entryPoints, outfile: script, bundle: true, platform: "node", format: "cjs" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function request(text: string): AnalysisRequest {
  return { path: "/x/train.yaml", isYaml: true, text, options: {} };
}

const engine = "actor_rollout_ref:\n  actor:\n    veomni:\n      activation_offload_modules: ";

describe("AnalysisThread", () => {
  it("answers with what the file holds", async () => {
    const thread = new AnalysisThread(script, () => undefined);
    const analysis = await thread.run("a", request(`${engine}["model.layers.{*}"]\n`));
    thread.dispose();
    expect(analysis.dialect).toBe("verl");
    expect(analysis.settings[0]?.patterns).toEqual(["model.layers.{*}"]);
    expect(analysis.reading?.patternLists[0]?.entries[0]?.text).toBe("model.layers.{*}");
  });

  it("drops texts that are replaced before their turn, and keeps documents apart", async () => {
    const thread = new AnalysisThread(script, () => undefined);
    const answers = await Promise.all([
      thread.run("a", request(`${engine}["first"]\n`)),
      thread.run("a", request(`${engine}["second"]\n`)),
      thread.run("b", request(`${engine}["other"]\n`)),
      thread.run("a", request(`${engine}["third"]\n`)),
    ]);
    thread.dispose();
    expect(answers.map(({ settings }) => settings[0]?.patterns)).toEqual([["first"], ["third"], ["other"], ["third"]]);
  });

  it("replaces a thread that fails, and says so", async () => {
    const failing = join(folder, "failing.cjs");
    writeFileSync(
      failing,
      `const { parentPort } = require("node:worker_threads");
      parentPort.on("message", ({ id, body: { text } }) => {
        if (text === "fail") throw new Error("broken");
        if (text === "leave") process.exit(3);
        const value = { dialect: text, diagnostics: [], settings: [] };
        parentPort.postMessage({ packet: "answer", id, body: { ok: true, value } });
      });`,
    );
    const messages: string[] = [];
    const thread = new AnalysisThread(failing, (message) => messages.push(message));
    const dialects = [];
    for (const text of ["fail", "leave", "good"]) dialects.push((await thread.run("a", request(text))).dialect);
    thread.dispose();
    expect(dialects).toEqual([undefined, undefined, "good"]);
    expect(messages).toEqual([
      "A document could not be analysed: broken.",
      "A document could not be analysed: it ended with code 3.",
    ]);
  });
});
