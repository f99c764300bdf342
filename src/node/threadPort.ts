import type { MessagePort, Worker } from "node:worker_threads";
import type { Port } from "../core/channel.js";

/** One end of the line between a thread and whoever started it. */
export function threadPort(thread: Worker | MessagePort): Port {
  return {
    post: (message, transfer = []) => thread.postMessage(message, [...transfer]),
    listen: (listener) => void thread.on("message", listener),
  };
}
