import { parentPort } from "node:worker_threads";
import { AnsweringEnd } from "../core/channel.js";
import { threadPort } from "../node/threadPort.js";
import type { TimelineLine } from "./messages.js";
import { packAnswer, packColumns } from "./packedAnswer.js";
import { WorkerTimelines } from "./workerTimelines.js";

/*
 * Entry of the thread that holds the timelines of one editor tab: it imports, answers the page's questions and exports, so that
 * the extension host only passes buffers on. Cancelling an import ends the thread.
 */
if (parentPort !== null) {
  const timelines = new WorkerTimelines();
  new AnsweringEnd<TimelineLine>(threadPort(parentPort), {
    answer: (request, { report }) => timelines.answer(request, report),
    pack: (outcome, { kind }) => (kind === "open" ? packColumns(outcome) : packAnswer(outcome)),
  });
}
