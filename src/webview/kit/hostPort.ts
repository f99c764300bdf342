import type { Port } from "../../core/channel.js";

interface HostApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): HostApi;

/** The page's end of the line to the extension, and a small state that survives a hidden tab. A page has one. */
export interface PageHost {
  readonly port: Port;
  storedState: unknown;
}

/** Must be called once: the editor gives its interface away only once. */
export function acquireHost(): PageHost {
  const host = acquireVsCodeApi();
  return {
    port: {
      // The editor clones: nothing leaves the page.
      post: (message) => host.postMessage(message),
      listen: (listener) => window.addEventListener("message", (event: MessageEvent<unknown>) => listener(event.data)),
    },
    get storedState() {
      return host.getState();
    },
    set storedState(state) {
      host.setState(state);
    },
  };
}
