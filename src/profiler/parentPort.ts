import type { Port } from "../core/channel.js";

/** This process's end of the line to the process that forked it. `onPosted` is called after each message that went out. */
export function parentPort(onPosted: () => void = () => undefined): Port {
  let posting = 0;
  return {
    post(message) {
      if (!process.connected || process.send === undefined) {
        onPosted();
        return;
      }
      posting += 1;
      process.send(message, undefined, undefined, () => {
        posting -= 1;
        // Earlier ones may come through while a later one is still on its way.
        if (posting === 0) onPosted();
      });
    },
    listen: (listener) => void process.on("message", listener),
  };
}
