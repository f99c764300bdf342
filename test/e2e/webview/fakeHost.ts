import "./withoutEval.js";

import { fail, type Outcome, type Problem, succeed } from "../../../src/core/base/outcome.js";
import { AnsweringEnd } from "../../../src/core/channel.js";
import { answerQuestion } from "../../../src/core/timeline/answers.js";
import { readContainer } from "../../../src/core/timeline/container/readContainer.js";
import { TraceImporter } from "../../../src/core/timeline/import/chrome/traceImporter.js";
import {
  type IndexedProfile,
  indexProfile,
  indexTimeline,
  overviewOf,
} from "../../../src/core/timeline/query/indexedTimeline.js";
import type {
  Answer,
  Answers,
  EditorMessage,
  PageLine,
  PageMessage,
  Question,
  TraceOverview,
  UnreadFile,
} from "../../../src/core/timeline/query/protocol.js";
import { stillLoading } from "../../../src/core/timeline/query/stillLoading.js";
import { denseTimeline } from "./denseTimeline.js";
import { applyTheme, type ThemeName } from "./themes.js";

/*
 * Stands in for VS Code inside the page: `acquireVsCodeApi`, theme variables, and the extension's half of the protocol, with
 * the extension's own code. Messages are cloned as between a page and its editor.
 */

declare global {
  interface Window {
    harness: {
      open(base64: string): void;
      /** JSON text of traces, gzipped or not; several are shown as ranks of one job. */
      openTraces(files: readonly TraceFile[]): Promise<void>;
      /** A timeline of so many events, made here: it would be too large to be sent. */
      openDense(events: number): void;
      /** Most boxes of one row in any answer. */
      readonly mostBoxes: number;
      /** What the page said beside questions. */
      readonly told: PageMessage[];
      /** Answers all questions of a kind with this instead of what the extension would say. */
      answerWith<K extends keyof Answers & string>(kind: K, answer: Answers[K]): void;
      /** What the page would find after a reload. */
      readonly state: unknown;
      send(message: EditorMessage): void;
      setTheme(theme: ThemeName): void;
      readonly violations: string[];
    };
  }
}

export interface TraceFile {
  readonly name: string;
  readonly base64: string;
  /** Shift onto the clock of the first file, ns. */
  readonly alignNs?: number;
  /** Chosen to compare the files before it with. */
  readonly isAdded?: boolean;
}

const fixed = new Map<string, Answer>();
let opened: IndexedProfile | undefined;
let mostBoxes = 0;
let isReady = false;
let whenReady: (() => void) | undefined;
let state: unknown;
const violations: string[] = [];
const told: PageMessage[] = [];
let hear: (message: unknown) => void = () => undefined;

const line = new AnsweringEnd<PageLine>(
  {
    post: (message) => window.postMessage(message, "*"),
    listen: (listener) => {
      hear = listener;
    },
  },
  {
    // In the product a thread answers: here it is at least no part of the frame that asks.
    answer: (question) => Promise.resolve().then(() => answer(question)),
    onTold: receive,
  },
);

function send(message: EditorMessage): void {
  line.announce(message);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  return bytes;
}

async function openTraces(files: readonly TraceFile[]): Promise<void> {
  const timelines: IndexedProfile["timelines"][number][] = [];
  const traces: TraceOverview[] = [];
  const unread: UnreadFile[] = [];
  let addedRun: number | null = null;
  for (const { name, base64, alignNs, isAdded } of files) {
    const importer = new TraceImporter();
    importer.push(await textOf(bytesOf(base64)));
    const imported = importer.finish();
    if (!imported.ok) {
      unread.push({ fileName: name, problem: imported.problem });
      continue;
    }
    if (isAdded === true) addedRun = timelines.length;
    timelines.push(indexTimeline(imported.value.timeline, alignNs));
    traces.push({ fileName: name, rank: imported.value.timeline.rank ?? null, report: imported.value.report });
  }
  const [first] = unread;
  if (traces.length === 0 && first !== undefined) return refuse(first.problem);
  opened = { kind: "trace", result: null, timelines, traces, unread, addedRun };
  const shown = opened;
  whenPageReady(() => send({ type: "profile", profile: overviewOf(shown, files[0]?.name ?? "") }));
}

/** Unpacks what begins like a gzip file. */
async function textOf(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

function openDense(events: number): void {
  const dense = indexTimeline(denseTimeline(events));
  const shown: IndexedProfile = { kind: "trace", result: null, timelines: [dense], traces: [] };
  opened = shown;
  whenPageReady(() => send({ type: "profile", profile: overviewOf(shown, "dense") }));
}

function refuse(problem: Problem): void {
  whenPageReady(() => send({ type: "problem", problem }));
}

function whenPageReady(show: () => void): void {
  if (isReady) show();
  else whenReady = show;
}

function open(base64: string): void {
  const bytes = bytesOf(base64);
  const show = () => {
    send({ type: "loading", fileName: "sample.offload", sizeBytes: bytes.length });
    const saved = readContainer(bytes);
    if (!saved.ok) {
      send({ type: "problem", problem: saved.problem });
      return;
    }
    opened = indexProfile(saved.value);
    send({ type: "profile", profile: overviewOf(opened, "sample.offload") });
  };
  whenPageReady(show);
}

function receive(message: PageMessage): void {
  if (message.type === "ready") {
    isReady = true;
    whenReady?.();
    return;
  }
  told.push(message);
}

function answer(question: Question): Outcome<Answer> {
  if (opened === undefined) return fail(stillLoading);
  const planned = fixed.get(question.kind);
  const outcome = planned === undefined ? answerQuestion(opened, question) : succeed(planned);
  if (outcome.ok && "rows" in outcome.value)
    for (const row of outcome.value.rows) mostBoxes = Math.max(mostBoxes, row.startNs.length);
  return outcome;
}

Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: (message: unknown) => hear(structuredClone(message)),
    getState: () => state,
    setState: (next: unknown) => {
      state = structuredClone(next);
    },
  }),
});

window.harness = {
  open,
  openTraces,
  openDense,
  get mostBoxes() {
    return mostBoxes;
  },
  told,
  answerWith: (kind, answer) => void fixed.set(kind, answer),
  get state() {
    return state;
  },
  send,
  violations,
  setTheme: applyTheme,
};
window.addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
