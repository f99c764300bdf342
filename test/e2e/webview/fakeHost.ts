import "./withoutEval.js";

import { readContainer } from "../../../src/core/profile/readContainer.js";
import { answerQuestion } from "../../../src/core/timeline/answers.js";
import { type IndexedProfile, indexProfile, overviewOf } from "../../../src/core/timeline/indexedTimeline.js";
import type { EditorMessage, PageMessage } from "../../../src/core/timeline/protocol.js";
import { THEMES, type ThemeName } from "./themes.js";

/*
 * Stands in for VS Code inside the page: `acquireVsCodeApi`, theme variables, and the extension's half of the protocol, with
 * the extension's own code. Messages are cloned as between a page and its editor.
 */

declare global {
  interface Window {
    harness: {
      open(base64: string): void;
      send(message: EditorMessage): void;
      setTheme(theme: ThemeName): void;
      readonly violations: string[];
    };
  }
}

let opened: IndexedProfile | undefined;
let isReady = false;
let whenReady: (() => void) | undefined;
let state: unknown;
const violations: string[] = [];

function send(message: EditorMessage): void {
  window.postMessage(message, "*");
}

function open(base64: string): void {
  const letters = atob(base64);
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = letters.charCodeAt(at);
  const show = () => {
    send({ type: "loading", fileName: "sample.offload", sizeBytes: bytes.length });
    const saved = readContainer(bytes);
    if (!saved.ok) {
      send({ type: "problem", problem: saved.problem });
      return;
    }
    opened = indexProfile(saved.value);
    send({ type: "profile", profile: overviewOf(opened, "sample.offload") });
  };
  if (isReady) show();
  else whenReady = show;
}

function receive(message: PageMessage): void {
  if (message.type === "ready") {
    isReady = true;
    whenReady?.();
    return;
  }
  if (opened === undefined || message.type !== "ask") return;
  send({ type: "answer", id: message.id, outcome: answerQuestion(opened, message.question) });
}

Object.assign(window, {
  acquireVsCodeApi: () => ({
    postMessage: (message: PageMessage) => receive(structuredClone(message)),
    getState: () => state,
    setState: (next: unknown) => {
      state = structuredClone(next);
    },
  }),
});

window.harness = {
  open,
  send,
  violations,
  setTheme(name) {
    const theme = THEMES[name];
    const variables = Object.entries(theme.variables).map(([key, value]) => `--vscode-${key}: ${value}`);
    document.documentElement.style.cssText = variables.join("; ");
    document.body.className = theme.bodyClass;
  },
};
window.addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
