import { parentPort } from "node:worker_threads";
import type { FromWorker, ToWorker } from "./messages.js";
import { packAnswer } from "./packedAnswer.js";
import { WorkerTimelines } from "./workerTimelines.js";

/*
 * Entry of the thread that holds the timelines of one editor tab: it imports, answers the page's questions and exports, so that
 * the extension host only passes buffers on. Cancelling an import ends the thread.
 */
function post(message: FromWorker): void {
  if (message.type !== "answer") {
    parentPort?.postMessage(message);
    return;
  }
  const { outcome, transfer } = packAnswer(message.outcome);
  parentPort?.postMessage({ ...message, outcome }, transfer);
}
const timelines = new WorkerTimelines(post);
parentPort?.on("message", (message: ToWorker) => void timelines.take(message));
