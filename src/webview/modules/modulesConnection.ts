import type { ModulesHostMessage, ModulesPageMessage } from "../../core/modules/view/protocol.js";

interface HostApi {
  postMessage(message: ModulesPageMessage): void;
}
declare function acquireVsCodeApi(): HostApi;

/** The page's line to the extension. Questions about pattern lists are numbered; only the newest answer counts. */
export class ModulesConnection {
  private readonly host = acquireVsCodeApi();

  constructor(onMessage: (message: ModulesHostMessage) => void) {
    window.addEventListener("message", (event: MessageEvent<ModulesHostMessage>) => onMessage(event.data));
  }

  send(message: ModulesPageMessage): void {
    this.host.postMessage(message);
  }
}
