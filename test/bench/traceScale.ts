import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { succeed } from "../../src/core/base/outcome.js";
import { answerQuestion } from "../../src/core/timeline/answers.js";
import { overviewOf } from "../../src/core/timeline/query/indexedTimeline.js";
import { indexTraces } from "../../src/core/timeline/query/indexTraces.js";
import { readTrace } from "../../src/node/readTrace.js";
import { packAnswer, packColumns } from "../../src/timelineWorker/packedAnswer.js";
import { writeLargeTrace } from "./traceGenerator.js";

/*
 * `npm run bench -- --scale [BYTES]`: imports one large generated trace in a process of its own and prints what it took.
 * The elements are lean: 2.3 GB then hold 15 million of them. Memory is the most that the process ever held, less what it held before.
 */

const SCREEN_PIXELS = 1_400;
const VIEWS = 40;

/** Parent: makes the file, runs the child, removes the file. */
export function measureScale(bytes: number): void {
  const folder = mkdtempSync(join(tmpdir(), "bench-scale-"));
  try {
    const path = join(folder, "trace.json");
    const { elements } = writeLargeTrace(path, bytes, "lean");
    console.log(`${elements.toLocaleString("en")} elements, ${(statSync(path).size / 1e9).toFixed(2)} GB`);
    const [node, script] = process.argv;
    for (const part of ["import", "cancel", "parse"]) {
      const { stdout, stderr, status } = spawnSync(node ?? "", [script ?? "", "--scale-child", part, path], {
        encoding: "utf8",
      });
      console.log(
        status === 0
          ? stdout.trim()
          : `${part}: failed: ${stderr.split("\n").find((line) => /Error/.test(line)) ?? status}`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Child: one measurement. */
export async function measureScaleChild(part: string, path: string): Promise<void> {
  const size = statSync(path).size;
  const before = heldBytes();
  const started = performance.now();
  if (part === "parse") {
    JSON.parse(readFileSync(path, "utf8"));
    say("read and JSON.parse", started, size, before);
    return;
  }
  const abort = new AbortController();
  let abortedAt = 0;
  let reports = 0;
  const read = await readTrace(path, {
    signal: abort.signal,
    onProgress: ({ readBytes }) => {
      reports += 1;
      if (part !== "cancel" || abortedAt > 0 || readBytes < size / 2) return;
      abortedAt = performance.now();
      abort.abort();
    },
  });
  if (part === "cancel") {
    console.log(
      `cancelled half way: ${read.ok ? "no" : read.problem.code} after ${(performance.now() - abortedAt).toFixed(0)} ms`,
    );
    return;
  }
  if (!read.ok) throw new Error(read.problem.message);
  const events = read.value.timeline.events.startNs.length.toLocaleString("en");
  const { total, kept } = read.value.report;
  say(
    `import of ${total.toLocaleString("en")} elements (${kept.toLocaleString("en")} kept), ${events} events, ${reports} progress reports`,
    started,
    size,
    before,
  );
  const indexed = performance.now();
  const profile = indexTraces([{ fileName: "trace", ...read.value }]);
  say("index for the view, after that", indexed, size, before);
  const messages = [...packColumns(overviewOf(profile, "trace")).transfer];
  const overview = performance.now();
  const { extent } = profile.timelines[0]?.overview ?? { extent: { fromNs: 0, toNs: 1 } };
  messages.push(...packAnswer(succeed(viewOf(profile, extent.fromNs, extent.toNs))).transfer);
  const bytes = messages.reduce((sum, message) => sum + message.byteLength, 0);
  console.log(
    `first picture: everything sent to the page ${(performance.now() - indexed).toFixed(0)} ms after the import (overview after ${(overview - indexed).toFixed(0)} ms), columns of ${(bytes / 1e6).toFixed(1)} MB`,
  );
  const times = viewTimes(profile);
  console.log(
    `views at 5 zooms: median ${times[times.length >> 1]?.toFixed(1)} ms, 95th percentile ${times[Math.floor(times.length * 0.95)]?.toFixed(1)} ms`,
  );
}

function viewTimes(profile: ReturnType<typeof indexTraces>): number[] {
  const { fromNs, toNs } = profile.timelines[0]?.overview.extent ?? { fromNs: 0, toNs: 1 };
  const times: number[] = [];
  for (const share of [1, 0.3, 0.1, 0.01, 0.001])
    for (let at = 0; at < VIEWS; at++) {
      const span = (toNs - fromNs) * share;
      const from = fromNs + ((toNs - fromNs - span) * at) / VIEWS;
      const started = performance.now();
      viewOf(profile, from, from + span);
      times.push(performance.now() - started);
    }
  return times.sort((a, b) => a - b);
}

function viewOf(profile: ReturnType<typeof indexTraces>, fromNs: number, toNs: number) {
  const question = { kind: "view", run: 0, fromNs, toNs, pixelNs: (toNs - fromNs) / SCREEN_PIXELS } as const;
  const answer = answerQuestion(profile, question);
  if (!answer.ok) throw new Error(answer.problem.message);
  return answer.value;
}

function say(what: string, started: number, size: number, before: number): void {
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage();
  const share = (heldBytes() - before) / size;
  console.log(
    `${what}: ${seconds.toFixed(1)} s (${(size / 1e6 / seconds).toFixed(0)} MB/s; processor time of the process so far ${((user + system) / 1e6).toFixed(1)} s), peak extra memory ${share.toFixed(2)} of the file`,
  );
}

function heldBytes(): number {
  return process.resourceUsage().maxRSS * 1024;
}
