import { parentPort } from "node:worker_threads";
import { succeed } from "../../core/base/outcome.js";
import { AnsweringEnd } from "../../core/channel.js";
import { threadPort } from "../../node/threadPort.js";
import { type AnalysisLine, analyseText } from "./analyseText.js";

/*
 * Entry of the thread that analyses long documents: a file of 50,000 lines takes seconds, and the extension host has to
 * answer other requests meanwhile.
 */
if (parentPort !== null)
  new AnsweringEnd<AnalysisLine>(threadPort(parentPort), { answer: (request) => succeed(analyseText(request)) });
