import { parentPort } from "node:worker_threads";
import { type AnalysisRequest, analyseText } from "./analyseText.js";

/*
 * Entry of the thread that analyses long documents: a file of 50,000 lines takes seconds, and the extension host has to
 * answer other requests meanwhile. One request, one answer.
 */
parentPort?.on("message", (request: AnalysisRequest) => {
  parentPort?.postMessage(analyseText(request));
});
