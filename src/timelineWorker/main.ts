import { parentPort } from "node:worker_threads";
import type { FromWorker, ToWorker } from "./messages.js";
import { packAnswer, packColumns } from "./packedAnswer.js";
import { WorkerTimelines } from "./workerTimelines.js";

/*
 * Entry of the thread that holds the timelines of one editor tab: it imports, answers the page's questions and exports, so that
 * the extension host only passes buffers on. Cancelling an import ends the thread.
 */
function post(message: FromWorker): void {
  if (message.type === "answer") {
    const { value, transfer } = packAnswer(message.outcome);
    parentPort?.postMessage({ ...message, outcome: value }, transfer);
  } else if (message.type === "opened") {
    const { value, transfer } = packColumns(message);
    parentPort?.postMessage(value, transfer);
  } else parentPort?.postMessage(message);
}
const timelines = new WorkerTimelines(post);
parentPort?.on("message", (message: ToWorker) => void timelines.take(message));
