import { parentPort } from "node:worker_threads";
import type { FromWorker, ToWorker } from "./messages.js";
import { transferable } from "./transferable.js";
import { WorkerTimelines } from "./workerTimelines.js";

/*
 * Entry of the thread that holds the timelines of one editor tab: it imports, answers the page's questions and exports, so that
 * the extension host only passes buffers on. Cancelling an import ends the thread.
 */
const post = (message: FromWorker) =>
  parentPort?.postMessage(message, message.type === "answer" ? transferable(message.outcome) : []);
const timelines = new WorkerTimelines(post);
parentPort?.on("message", (message: ToWorker) => void timelines.take(message));
